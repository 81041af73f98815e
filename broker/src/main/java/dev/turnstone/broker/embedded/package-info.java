/**
 * An engine that lives: a thread that drives it, a real clock, its journal and listeners, and the {@code vm} connector
 * with its registry of brokers by folder, which is the only static state. No thread of it keeps a JVM alive.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.embedded;
