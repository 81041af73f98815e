/**
 * The port: the few verbs by which every protocol and API uses the engine, and the values that cross it.
 *
 * <p>{@link dev.turnstone.port.Broker} gives a {@link dev.turnstone.port.Connection}, which opens
 * {@link dev.turnstone.port.Session}s. A session belongs to one owner thread at a time, at its edge: commands are
 * collected there, posted together by {@code flush}, and what comes back is taken there by {@code drain}. All values
 * are immutable.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.port;
