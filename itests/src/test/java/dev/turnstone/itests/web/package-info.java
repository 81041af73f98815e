/** Protocols over WebSocket, from a socket and from a browser. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.itests.web;
