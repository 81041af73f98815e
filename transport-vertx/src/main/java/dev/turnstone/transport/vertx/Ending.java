package dev.turnstone.transport.vertx;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/** Why the broker ends a connection. The peer of a WebSocket is told by a status (RFC 6455 section 7.4.1). */
public enum Ending {
    /** All is done, or the peer has said goodbye. */
    DONE(WebSocketCloseStatus.NORMAL_CLOSURE),
    /** The listener closes. */
    STOPPING(WebSocketCloseStatus.ENDPOINT_UNAVAILABLE),
    /** The peer has broken the protocol. */
    FAULT(WebSocketCloseStatus.PROTOCOL_ERROR),
    /** The peer has not logged in, may not do what it wants, or may not any more. */
    FORBIDDEN(WebSocketCloseStatus.POLICY_VIOLATION),
    /** The peer has sent something that is larger than it may be. */
    TOO_LARGE(WebSocketCloseStatus.MESSAGE_TOO_BIG),
    /** Something failed on this side. */
    FAILED(WebSocketCloseStatus.INTERNAL_SERVER_ERROR);

    private final WebSocketCloseStatus status;

    Ending(WebSocketCloseStatus status) {
        this.status = status;
    }

    WebSocketCloseStatus status() {
        return status;
    }
}
