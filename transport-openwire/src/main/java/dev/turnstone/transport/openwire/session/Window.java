package dev.turnstone.transport.openwire.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.activemq.command.MessageId;
import org.jspecify.annotations.Nullable;

/**
 * What one consumer has been given and has not settled, in the order in which it was given. A ring that grows to the
 * consumer's prefetch. On the event loop only.
 */
final class Window {
    private static final int START = 16;

    private Held[] ring = new Held[START];
    private int head;
    private int size;

    void add(Held held) {
        if (size == ring.length) {
            makeRoom();
        }
        ring[(head + size) & (ring.length - 1)] = held;
        size++;
    }

    /** Forgets all that is settled, and grows if that is not much. */
    private void makeRoom() {
        Held[] open = new Held[ring.length];
        int left = 0;
        for (int i = 0; i < size; i++) {
            if (!at(i).isSettled()) {
                open[left++] = at(i);
            }
        }
        ring = left > ring.length / 2 ? Arrays.copyOf(open, 2 * ring.length) : open;
        head = 0;
        size = left;
    }

    /** Puts one that the client has had before into its place. */
    void insert(Held held) {
        add(held);
        for (int i = size - 1; i > 0 && at(i - 1).sequence() > held.sequence(); i--) {
            ring[(head + i) & (ring.length - 1)] = at(i - 1);
            ring[(head + i - 1) & (ring.length - 1)] = held;
        }
    }

    /** Puts back one that was settled, if it is not there any more. */
    void restore(Held held) {
        int place = from(held.sequence());
        if (place == size || at(place) != held) {
            insert(held);
        }
    }

    int size() {
        return size;
    }

    private Held at(int index) {
        return ring[(head + index) & (ring.length - 1)];
    }

    /** Those that are open among the ones from the first to the last of these numbers. */
    List<Held> open(long first, long last) {
        List<Held> open = new ArrayList<>();
        for (int i = from(first); i < size && at(i).sequence() <= last; i++) {
            if (at(i).isOpen()) {
                open.add(at(i));
            }
        }
        return open;
    }

    /**
     * The same for a client that names messages which it was delivered over an earlier connection, and which have come
     * again. The numbers are of no use then; so none if it means more or fewer than these.
     */
    List<Held> openAgain(MessageId first, MessageId last, int count) {
        Held from = again(first);
        Held to = again(last);
        List<Held> open = from == null || to == null ? List.of() : open(from.sequence(), to.sequence());
        return open.size() == count ? open : List.of();
    }

    private @Nullable Held again(MessageId message) {
        for (int i = 0; i < size; i++) {
            if (at(i).isOpen() && at(i).isAgain(message)) {
                return at(i);
            }
        }
        return null;
    }

    /** All that are open. */
    List<Held> open() {
        return open(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Forgets what is settled at the front. */
    void trim() {
        while (size > 0 && ring[head].isSettled()) {
            head = (head + 1) & (ring.length - 1);
            size--;
        }
    }

    /** The first place whose sequence is not below; binary search. */
    private int from(long sequence) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at(middle).sequence() < sequence) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
