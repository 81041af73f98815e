/** Page files without a disk, and the contract that every page store keeps. One thread, if nothing else is said. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.testkit.page;
