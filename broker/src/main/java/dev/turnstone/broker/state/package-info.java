/**
 * Protocol state: small values under keys that protocols put and remove in one unit with their sends and settles, and
 * list when a session starts. Owned by the engine thread; calls store.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.state;
