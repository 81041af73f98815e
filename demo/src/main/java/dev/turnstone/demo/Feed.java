package dev.turnstone.demo;

import java.util.concurrent.locks.LockSupport;

/**
 * Publishes readings, numbered from 0, on a thread of its own until it is told to finish; a little ahead of the
 * results.
 */
final class Feed {
    private static final long PAUSE_NANOS = 4_000_000;
    private static final int AHEAD_MAX = 60;

    private final MqttClients clients;
    private final int atLeast;
    private final Tally results;
    private final Thread thread;
    private volatile int published;
    private volatile boolean finishing;

    Feed(MqttClients clients, int atLeast, Tally results) {
        this.clients = clients;
        this.atLeast = atLeast;
        this.results = results;
        this.thread = new Thread(this::run, "demo-feed");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            int next = 0;
            while (next < atLeast || !finishing) {
                if (next - results.count() < AHEAD_MAX) {
                    clients.publish(next++);
                    published = next;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The readings that there must be at least are enough. */
    void finish() {
        finishing = true;
    }

    int sent() {
        return published;
    }

    /** Whether all are sent, and confirmed. */
    boolean done() {
        return !thread.isAlive() && clients.confirmed() == published;
    }
}
