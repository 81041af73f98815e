/**
 * A WebSocket client on a plain blocking socket that can also break every rule, and a socket over it, so that clients
 * of a protocol on TCP run over WebSocket unchanged. Belongs to the thread that uses it.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.testkit.web;
