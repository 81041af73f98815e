package dev.turnstone.broker.embedded;

import dev.turnstone.broker.Engine;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The daemon thread that drives an engine: it parks while there is nothing to do, and never spins. */
final class EngineThread {
    private static final Logger LOG = LoggerFactory.getLogger(EngineThread.class);

    private final AtomicReference<@Nullable Engine> engine = new AtomicReference<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private final @Nullable TurnTimes times;
    private final Consumer<BrokerException> onFailure;

    /**
     * Not yet started.
     *
     * @param settings whose onFailure is called on the thread if the engine ends otherwise than asked to
     * @param meter is told how long turns take
     */
    EngineThread(BrokerSettings settings, BrokerMeter meter) {
        this.times = meter == BrokerMeter.NONE ? null : new TurnTimes(meter, System::nanoTime);
        this.onFailure = settings.onFailure();
        this.thread = FolderLabel.thread(settings, "engine", this::run);
    }

    /** Ends the thread's sleep, or the next one. Any thread. */
    void wake() {
        LockSupport.unpark(thread);
    }

    void start(Engine driven) {
        engine.set(driven);
        thread.start();
    }

    /** Waits until the engine has stopped; must not be called on its thread. */
    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** True on the engine's thread. */
    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    private void run() {
        Engine driven = engine.get();
        if (driven == null) {
            return;
        }
        boolean failed = false;
        try {
            while (driven.stopped() == null) {
                boolean more = times == null ? driven.drain() : times.drain(driven);
                if (!more && driven.stopped() == null) {
                    long dueMs = driven.dueMs();
                    // Asked as the last thing before: a wake-up since the turn may have been taken by a lock, which
                    // parks by the same permit, as in what measures or logs.
                    if (driven.asleep()) {
                        // Returns at once for a time that has come, and for the end of time waits for a wake.
                        LockSupport.parkUntil(this, dueMs);
                    }
                }
            }
            failed = driven.failed();
        } catch (RuntimeException | Error broken) {
            failed = true;
            driven.fail(new BrokerException(ErrorCode.STOPPED, "the broker stopped: the engine failed", broken));
        } finally {
            ended.countDown();
        }
        BrokerException cause = driven.stopped();
        if (failed && cause != null) {
            LOG.error("The broker has stopped; what was not confirmed may or may not be stored", cause);
            onFailure.accept(cause);
        }
    }
}
