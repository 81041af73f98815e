package dev.turnstone.transport.openwire.session;

import java.util.ArrayList;
import java.util.List;

/**
 * What has come to a consumer again and its client's library keeps from the application, which has had it. Whether the
 * application is done with it the library does not say. If it acknowledges by itself, it is; if the application
 * acknowledges each message, it may still, or never will: the broker sees which of both it is by what is acknowledged
 * otherwise, and until then waits. On the event loop only.
 */
final class Suppressed {
    private enum Way {
        UNKNOWN,
        IN_ORDER,
        ONE_BY_ONE
    }

    private final List<Held> waiting = new ArrayList<>(0);
    private Way way = Way.UNKNOWN;

    /** The library keeps these from the application; true if they are consumed, false if that is still to be seen. */
    boolean areConsumed(List<Held> some) {
        if (way == Way.UNKNOWN) {
            waiting.addAll(some);
        }
        return way == Way.IN_ORDER;
    }

    /** The consumer acknowledges in the order of delivery; answers what is thereby consumed, too. */
    List<Held> inOrder() {
        if (way == Way.UNKNOWN) {
            way = Way.IN_ORDER;
        }
        if (waiting.isEmpty()) {
            return List.of();
        }
        List<Held> consumed = waiting.stream().filter(Held::isOpen).toList();
        waiting.clear();
        return consumed;
    }

    /** The application acknowledges each message by itself: those that are kept from it wait for that. */
    void oneByOne() {
        way = Way.ONE_BY_ONE;
        waiting.clear();
    }
}
