package dev.turnstone.testkit.transport;

/** What carries a protocol's bytes. */
public enum Carrier {
    /** A socket. */
    TCP(false, false),
    /** TLS over a socket. */
    TLS(false, true),
    /** WebSocket: each write is a message. */
    WEB_SOCKET(true, false),
    /** WebSocket over TLS. */
    WEB_SOCKET_TLS(true, true);

    private final boolean web;
    private final boolean tls;

    Carrier(boolean web, boolean tls) {
        this.web = web;
        this.tls = tls;
    }

    boolean isWeb() {
        return web;
    }

    boolean isTls() {
        return tls;
    }
}
