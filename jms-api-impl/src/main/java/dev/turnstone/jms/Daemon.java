package dev.turnstone.jms;

/** Starts threads that never keep a JVM alive. */
final class Daemon {
    private Daemon() {}

    static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
