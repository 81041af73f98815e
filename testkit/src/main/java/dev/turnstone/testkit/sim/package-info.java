/**
 * The simulation: the real engine on a simulated journal and virtual time, random sessions and random faults, all from
 * one seed in one thread, watched by the reference model of {@link dev.turnstone.testkit.model}.
 * {@link dev.turnstone.testkit.sim.Simulation} runs one seed; {@link dev.turnstone.testkit.sim.Campaign} runs many and
 * shrinks the first that fails.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.testkit.sim;
