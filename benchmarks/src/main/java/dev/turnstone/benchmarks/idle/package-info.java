/** What connections that say nothing cost a broker. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.benchmarks.idle;
