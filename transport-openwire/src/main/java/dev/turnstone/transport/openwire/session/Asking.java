package dev.turnstone.transport.openwire.session;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a consumer with prefetch 0 asks for: one message at a time. On the event loop only. */
final class Asking {
    /** The numbers of the port's consumers that may still answer. */
    private final Set<Integer> asked = new HashSet<>(2);

    private long request;
    private boolean open;
    private boolean recalling;
    /** Ends the timer of the open request. */
    private @Nullable Runnable timer;

    /** Asks for one message. Answers the number of the request, or 0 if one is open. */
    long begin() {
        if (open) {
            return 0;
        }
        open = true;
        return ++request;
    }

    /** The open request has a timer, which this ends. */
    void timed(Runnable ended) {
        timer = ended;
    }

    /** True if a request is open. */
    boolean isOpen() {
        return open && !recalling;
    }

    /** True if this request is open. */
    boolean isOpen(long number) {
        return open && request == number;
    }

    /** True if the port's consumer is to be asked: it has not been, since it gave a message. */
    boolean asks(int port) {
        return asked.add(port);
    }

    /** A message has come. */
    void answered(int port) {
        close();
        asked.remove(port);
    }

    private void close() {
        open = false;
        if (timer != null) {
            timer.run();
            timer = null;
        }
    }

    /** The port's consumer is gone. */
    void forget(int port) {
        asked.remove(port);
    }

    /** What still comes goes back. */
    void recall() {
        asked.clear();
        recalling = true;
    }

    /** True while what comes goes back. */
    boolean recalls() {
        return recalling;
    }

    /** The request is over. */
    void end() {
        recalling = false;
        close();
    }
}
