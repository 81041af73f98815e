/** What an operator says about where messages go beside the address that they were sent to. Immutable; any thread. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.binding;
