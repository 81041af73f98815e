package dev.turnstone.transport.vertx;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/** Why the broker ends a connection. The peer of a WebSocket is told by a status (RFC 6455 section 7.4.1). */
public enum Ending {
    /** All is done, or the peer has said goodbye. */
    DONE(1000),
    /** The listener closes. */
    STOPPING(1001),
    /** The peer has broken the protocol. */
    FAULT(1002),
    /** The peer has not logged in, may not do what it wants, or may not any more. */
    FORBIDDEN(1008),
    /** The peer has sent something that is larger than it may be. */
    TOO_LARGE(1009),
    /** Something failed on this side. */
    FAILED(1011);

    private final int status;

    Ending(int status) {
        this.status = status;
    }

    WebSocketCloseStatus status() {
        return WebSocketCloseStatus.valueOf(status);
    }
}
