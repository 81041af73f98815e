package dev.turnstone.testkit.transport;

import java.util.List;

/** How one client says in its protocol what the contract needs said, to one queue. */
public interface Dialect {
    /** What {@link #understand} calls the answer to a login. */
    String LOGGED_IN = "logged in";
    /** What it calls a message. */
    String MESSAGE = "message";
    /** What it calls the refusal that ends the connection. */
    String REFUSED = "refused";

    /** The protocol's name, as listeners have it. */
    String protocol();

    /** Whether it is spoken over WebSocket, too. */
    default boolean speaksWeb() {
        return true;
    }

    /** Its path on HTTP listeners. */
    default String path() {
        throw new UnsupportedOperationException("not over HTTP");
    }

    /** A sub-protocol of WebSocket that it has. */
    default String subProtocol() {
        throw new UnsupportedOperationException("not over WebSocket");
    }

    /** Whether its messages over WebSocket may be text. */
    default boolean text() {
        return false;
    }

    /** A login that is accepted. */
    byte[] login();

    /** A login for who consumes: what one leaves unread, the next one with this login gets. */
    default byte[] consumerLogin() {
        return login();
    }

    /** A persistent message of so many bytes whose confirmation {@link #understand} calls by the number. */
    byte[] send(int number, int bytes);

    /** Asks for the queue's messages, as many at once as the protocol allows, without acknowledging them by hand. */
    byte[] subscribe();

    /** What no client may send after its login; the end of the connection follows. */
    byte[] fault();

    /** Whether a fault is answered before the end. */
    boolean answersFaults();

    /**
     * Adds the answers in what was received, in order; an unfinished one at the end is left for the next time.
     *
     * @return how many bytes the answers took
     */
    int understand(byte[] received, List<String> answers);
}
