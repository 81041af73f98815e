package dev.turnstone.broker.embedded;

import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The thread that drives an engine, where other code runs on it too. */
final class EngineThreadTest {
    private static final int MESSAGES = 50;
    private static final long PAUSE_NANOS = 2_000_000;

    @TempDir
    Path folder;

    /** A lock of the meter's parks the thread: the permit of a wake-up is gone then, and the wake-up must not be. */
    @Test
    @Timeout(60)
    void aWakeUpWhileAMeterWaitsForALockIsNotLost() throws InterruptedException {
        BrokerMeter locking = new BrokerMeter() {
            @Override
            public void turn(long nanos) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }

            @Override
            public void confirmed(long nanos) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }

            @Override
            public void synced(long nanos) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        };
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(folder), locking)) {
            EdgeClient client = new EdgeClient(broker.broker()
                    .connect(EmbeddedBrokerTest.LOGIN, cause -> {})
                    .toCompletableFuture()
                    .join());
            for (int i = 0; i < MESSAGES; i++) {
                client.send("q", "m" + i);
            }
        }
    }
}
