package dev.turnstone.transport.stomp.session;

import dev.turnstone.transport.stomp.codec.Frame;
import dev.turnstone.transport.stomp.codec.Header;

/** When a delivery counts as consumed (STOMP 1.2 "SUBSCRIBE ack Header"). */
enum AckMode {
    /** When the socket has taken it. */
    AUTO,
    /** When it or a later one of the subscription is acknowledged. */
    CLIENT,
    /** When it is acknowledged. */
    CLIENT_INDIVIDUAL;

    static AckMode of(Frame subscribe) {
        String text = subscribe.header(Header.ACK);
        if (text == null) {
            return AUTO;
        }
        return switch (text) {
            case "auto" -> AUTO;
            case "client" -> CLIENT;
            case "client-individual" -> CLIENT_INDIVIDUAL;
            default ->
                throw subscribe.fault("the header 'ack' must be auto, client or client-individual, not '" + text + "'");
        };
    }
}
