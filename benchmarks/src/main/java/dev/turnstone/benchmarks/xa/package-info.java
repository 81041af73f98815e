/** Global transactions: how many a second, and how many syncs of the journal each of them takes. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.benchmarks.xa;
