/**
 * Journals for tests: a simulated one for a single thread, whose syncs and crashes the test decides; the contract that
 * every journal keeps; and file layers that withhold unsynced bytes or fail on demand.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.testkit.journal;
