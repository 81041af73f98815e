package dev.turnstone.jms;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Starts threads that never keep a JVM alive, and whose lines of the log say which connection they work for. */
final class Daemon {
    /**
     * What a line of the log says.
     *
     * @param connection the connection's name
     * @param client the client identifier, or null
     * @param user the user's name, or null
     */
    record Labels(
            String connection,
            @Nullable String client,
            @Nullable String user) {
        void put() {
            MDC.put("connection", connection);
            put("client", client);
            put("user", user);
        }

        private static void put(String name, @Nullable String value) {
            if (value != null) {
                MDC.put(name, value);
            }
        }
    }

    private Daemon() {}

    static Thread start(String name, Labels labels, Runnable work) {
        Thread thread = new Thread(
                () -> {
                    labels.put();
                    work.run();
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
