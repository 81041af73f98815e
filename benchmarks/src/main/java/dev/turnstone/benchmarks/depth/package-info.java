/** Queues deeper than memory: what fits, how fast it goes in and out, how long a restart takes. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.benchmarks.depth;
