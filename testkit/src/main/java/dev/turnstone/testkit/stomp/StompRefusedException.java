package dev.turnstone.testkit.stomp;

import java.io.IOException;

/** The broker answered with an ERROR frame. */
public final class StompRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient StompFrame error;

    StompRefusedException(StompFrame error) {
        super(error.toString());
        this.error = error;
    }

    /** The ERROR frame. */
    public StompFrame error() {
        return error;
    }
}
