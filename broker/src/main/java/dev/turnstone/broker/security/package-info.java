/**
 * Who may be here and what they may do: the broker's current {@link dev.turnstone.broker.security.Security}, and what
 * each connection has been allowed so far. Owned by the engine thread but where a class says otherwise; calls the
 * plug-ins of {@code dev.turnstone.spi} only.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.security;
