/** The engine's named limits: one list, used by configuration, messages and code alike. Immutable; any thread. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.limit;
