package dev.turnstone.server.load;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** What waits for a confirmation, by its number, and the thread that reads them from a socket. Any thread. */
final class Confirmations {
    private final Map<Integer, Runnable> waiting = new ConcurrentHashMap<>();

    /** Reads one answer. */
    interface Reading {
        /** Blocks until there is one; answers the number of what is confirmed, or 0 for something else. */
        int next() throws IOException;
    }

    /** Reads until the socket is closed. */
    void start(String name, Reading reading, Consumer<IOException> failed) {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (true) {
                            Runnable confirmed = waiting.remove(reading.next());
                            if (confirmed != null) {
                                confirmed.run();
                            }
                        }
                    } catch (IOException e) {
                        failed.accept(e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    /** This number has been sent. */
    void expect(int number, Runnable confirmed) {
        waiting.put(number, confirmed);
    }
}
