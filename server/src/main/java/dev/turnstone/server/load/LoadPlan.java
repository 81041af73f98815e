package dev.turnstone.server.load;

import java.time.Duration;

/**
 * What load is put on a broker.
 *
 * @param producers how many send
 * @param consumers how many receive
 * @param sizeBytes the size of a message's body; at least {@link #SIZE_MIN}
 * @param persistent whether messages survive a crash
 * @param inFlight how many messages of a producer may wait for their confirmation
 * @param acknowledge how consumers acknowledge, one of {@link LoadProtocol#acknowledgeModes}
 * @param topic true for a topic, each of whose consumers gets everything; false for a queue, which they share
 * @param destination its name
 * @param warmUp how long load is put on before anything counts
 * @param duration how long it is measured
 */
public record LoadPlan(
        int producers,
        int consumers,
        int sizeBytes,
        boolean persistent,
        int inFlight,
        String acknowledge,
        boolean topic,
        String destination,
        Duration warmUp,
        Duration duration) {
    /** A body begins with the run and the moment of its send, eight bytes each. */
    public static final int SIZE_MIN = 16;
}
