/**
 * The reference model: what a broker that keeps the port's promises may show to its sessions, and what it must. It
 * knows nothing of the engine: it hears which commands were given, which were confirmed, refused or left in doubt, and
 * what was delivered, and throws a {@link dev.turnstone.testkit.model.Violation} as soon as that cannot be. One thread.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.testkit.model;
