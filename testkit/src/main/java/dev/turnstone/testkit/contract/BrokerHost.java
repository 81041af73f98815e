package dev.turnstone.testkit.contract;

import dev.turnstone.port.Broker;
import java.time.Duration;

/** A broker under contract test and what drives it. The test's thread calls everything. */
public interface BrokerHost extends AutoCloseable {
    /** The broker that runs now; another one after {@link #restart}. */
    Broker broker();

    /**
     * Lets a broker that has no threads of its own go on until it is idle and all is durable; returns at once for any
     * other.
     */
    void pump();

    /** The broker's clock, milliseconds since the epoch. */
    long nowMs();

    /** Returns when so much of the broker's time has passed. */
    void pass(Duration time);

    /** Stops the broker in order and starts it again on the same data. Connections are gone. */
    void restart();

    /** How long a test waits for what must come. */
    Duration patience();

    @Override
    void close();
}
