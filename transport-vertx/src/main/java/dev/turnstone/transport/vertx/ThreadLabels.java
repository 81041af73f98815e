package dev.turnstone.transport.vertx;

import java.util.Map;
import org.slf4j.MDC;

/**
 * What lines of the log say of the broker that a listener is bound for, for threads that are made meanwhile. Any
 * thread.
 */
public final class ThreadLabels {
    private final Map<String, String> labels;

    private ThreadLabels(Map<String, String> labels) {
        this.labels = labels;
    }

    /** Those that the caller's lines have now. */
    public static ThreadLabels ofCaller() {
        Map<String, String> labels = MDC.getCopyOfContextMap();
        return new ThreadLabels(labels == null ? Map.of() : labels);
    }

    /** A daemon with them, not yet started. */
    public Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(
                () -> {
                    put();
                    work.run();
                },
                name);
        thread.setDaemon(true);
        return thread;
    }

    /** The caller's lines have them from now on. */
    void put() {
        labels.forEach(MDC::put);
    }
}
