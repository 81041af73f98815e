/** Benchmarks (JMH) and load scenarios. Each states its threads. */
@NullMarked
package dev.turnstone.benchmarks;

import org.jspecify.annotations.NullMarked;
