/**
 * What the broker remembers in order to do things once: identities of messages and of commits, for a horizon of time,
 * recorded in the unit of what they identify. Owned by the engine thread, but for {@link Fingerprints}; calls store.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.dedup;
