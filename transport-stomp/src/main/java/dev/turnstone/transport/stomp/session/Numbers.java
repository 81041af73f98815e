package dev.turnstone.transport.stomp.session;

import dev.turnstone.transport.stomp.codec.Frame;

/** Reads headers that are whole numbers with or without a sign. Any thread. */
final class Numbers {
    private Numbers() {}

    /** The number that a header's value is; anything else is the frame's fault. */
    static int whole(Frame frame, String header, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw frame.fault("the header '" + header + "' must be a whole number");
        }
    }
}
