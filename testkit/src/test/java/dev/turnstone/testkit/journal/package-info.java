/** Tests of the journals and of what tests them. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.testkit.journal;
