package dev.turnstone.spi;

import java.util.concurrent.CompletionStage;

/** A bound listener. Any thread. */
public interface Listener {
    /** The protocol that it serves. */
    String protocol();

    /** The host that it is bound to, as asked for. */
    String host();

    /** The port that it is bound to; never 0. */
    int port();

    /** Takes no more connections and ends those that it has. Idempotent. */
    CompletionStage<Void> close();
}
