/** Selectors: compiled once, matched by the engine thread. Knows messages and the selector library, nothing else. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.filter;
