/**
 * Who may connect to the server, and what they may do: users with slow hashes, throttled logins, permissions by address
 * pattern, and the audit log. The plug-ins here are called by the engine (see {@code dev.turnstone.spi}); slow work
 * runs on threads of this package.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.server.security;
