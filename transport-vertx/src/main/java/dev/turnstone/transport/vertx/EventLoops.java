package dev.turnstone.transport.vertx;

import dev.turnstone.spi.SharedResources;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The event loops that all listeners of one broker share. Daemon threads, so that an embedded broker keeps no JVM
 * alive. Any thread.
 */
public final class EventLoops implements AutoCloseable {
    private static final long CLOSE_TIMEOUT_MS = 10_000;

    private final DoorTransport doors = new DoorTransport();
    private final Vertx vertx;
    private final int count;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Arrivals arrivals = new Arrivals(System::nanoTime);

    private EventLoops() {
        count = Math.max(1, Runtime.getRuntime().availableProcessors());
        // Nothing here reads files through Vert.x, so it need not prepare a cache folder for them.
        FileSystemOptions noFiles =
                new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
        vertx = doors.vertx(new VertxOptions()
                .setEventLoopPoolSize(count)
                .setUseDaemonThread(true)
                .setFileSystemOptions(noFiles));
        VertxInternal threads = (VertxInternal) vertx;
        ThreadLabels labels = ThreadLabels.ofCaller();
        threads.acceptorEventLoopGroup().forEach(loop -> loop.execute(labels::put));
        threads.nettyEventLoopGroup().forEach(loop -> loop.execute(labels::put));
    }

    /** The broker's event loops, started by the first listener that asks. */
    public static EventLoops of(SharedResources shared) {
        return shared.shared(EventLoops.class, broker -> new EventLoops());
    }

    Vertx vertx() {
        return vertx;
    }

    /** How many loops there are: one for each processor. */
    int count() {
        return count;
    }

    /** A positive number that no other listener has. */
    int nextNumber() {
        return numbers.incrementAndGet();
    }

    /** The doors of this broker's servers. */
    DoorTransport doors() {
        return doors;
    }

    /** Who is connected to the broker's listeners. */
    Arrivals arrivals() {
        return arrivals;
    }

    /** How many connections the broker's listeners have turned away, before anything of them was read. Any thread. */
    public long turnedAway() {
        return arrivals.refused();
    }

    /**
     * Ends the event loops, after the listeners have closed. Waits for it, at most 10 seconds; never called on an event
     * loop.
     */
    @Override
    public void close() {
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .join();
    }
}
