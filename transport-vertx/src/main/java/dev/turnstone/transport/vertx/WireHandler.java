package dev.turnstone.transport.vertx;

/** The protocol's side of one connection. Called on the connection's event loop only. */
public interface WireHandler {
    /** One read of the socket. The bytes are the handler's: nobody writes into them again. */
    void received(byte[] bytes, int from, int to);

    /** The socket, which was {@link Wire#full}, takes more again. */
    void drained();

    /** The peer has not logged in in time. The handler ends the connection. */
    void loginTimedOut();

    /** The listener closes: the handler ends the connection, with a last frame if the protocol has one for this. */
    void stopping();

    /** The connection is gone, for whatever reason. Called once, and nothing after it. */
    void closed();
}
