/**
 * The journal beside a bare writer, in one run on one disk: see {@link dev.turnstone.benchmarks.journal.JournalSpeed}.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.benchmarks.journal;
