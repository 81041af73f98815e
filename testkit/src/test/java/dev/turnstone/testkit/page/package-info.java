/** Tests of page stores. One thread, if nothing else is said. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.testkit.page;
