package dev.turnstone.transport.vertx;

import java.util.List;

/**
 * A protocol as HTTP listeners serve it over WebSocket (RFC 6455).
 *
 * @param path where, such as {@code /stomp}
 * @param subProtocols what a client may ask for in {@code Sec-WebSocket-Protocol}, the best first; of what it asks for
 *     it gets the first of these
 * @param subProtocolRequired whether a client that asks for none of them is refused; one that asks for others always is
 * @param text whether text messages are taken, besides binary ones; if not, a text message ends the connection with
 *     1003
 * @param protocol makes the protocol's side of each connection
 */
public record WebSocketProtocol(
        String path, List<String> subProtocols, boolean subProtocolRequired, boolean text, Protocol protocol) {
    /** Keeps a copy. */
    public WebSocketProtocol {
        subProtocols = List.copyOf(subProtocols);
    }
}
