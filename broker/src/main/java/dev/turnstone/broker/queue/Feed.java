package dev.turnstone.broker.queue;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A cursor and those who take what it finds, in turn: all consumers without a selector share one, each selector has its
 * own. Engine thread.
 */
final class Feed {
    private final Cursor cursor;
    private final ArrayDeque<Consumer> line = new ArrayDeque<>(1);
    private final boolean shared;
    /** The last position that a browser is shown; 0 for those who consume. */
    private final long browsesUpTo;
    /** Who reads without consuming; null for all others. */
    private @Nullable Reader reader;

    private final int priority;
    /** True if the cursor has passed what was another feed's. */
    private boolean passedOver;

    private boolean ended;
    private int consumers;

    Feed(Cursor cursor, boolean shared, int priority) {
        this(cursor, shared, priority, 0);
    }

    private Feed(Cursor cursor, boolean shared, int priority, long browsesUpTo) {
        this.cursor = cursor;
        this.shared = shared;
        this.priority = priority;
        this.browsesUpTo = browsesUpTo;
    }

    /** One of a browser, which is shown what lies up to a position. */
    static Feed ofBrowser(Cursor cursor, long upTo) {
        return new Feed(cursor, false, 0, Math.max(1, upTo));
    }

    /** One of a consumer that reads without consuming. */
    static Feed ofReader(Cursor cursor, Reader reader) {
        Feed feed = new Feed(cursor, false, 0);
        feed.reader = reader;
        return feed;
    }

    /** Who reads without consuming; null for all others. */
    @Nullable
    Reader reader() {
        return reader;
    }

    boolean browses() {
        return browsesUpTo > 0;
    }

    /** True if a browser is to be shown the entry. */
    boolean shows(Entry entry) {
        Consumer browser = first();
        return entry.position() <= browsesUpTo && browser != null && browser.mayTake(entry);
    }

    /** A browser has seen everything. */
    void end() {
        ended = true;
    }

    /** True for the one of those who take everything. */
    boolean shared() {
        return shared;
    }

    Cursor cursor() {
        return cursor;
    }

    /** Its consumers' priority. */
    int priority() {
        return priority;
    }

    /** It leaves an entry to another feed. */
    void passOver(Entry entry) {
        cursor.pass(entry);
        passedOver = true;
    }

    /** True if its cursor has passed what it left to other feeds, and nobody may have seen yet. */
    boolean hasPassedOver() {
        return passedOver;
    }

    /** True if its cursor has passed nothing but what it did not want, and another consumer can go on with it. */
    boolean goesOn() {
        return !shared && !passedOver && reader == null && !browses();
    }

    /** What it has left to others may be its own now: it looks at everything again. */
    void lookAgain() {
        if (passedOver) {
            passedOver = false;
            cursor.close();
        }
    }

    void join() {
        consumers++;
    }

    /** True if that was the last consumer. */
    boolean leave() {
        return --consumers == 0;
    }

    void lineUp(Consumer consumer) {
        if (!consumer.inLine && consumer.wants() && !ended) {
            consumer.inLine = true;
            line.addLast(consumer);
        }
    }

    /** Whose turn it is, or null. */
    @Nullable
    Consumer first() {
        Consumer consumer = line.peekFirst();
        // Credit may have been recalled, and groups may have filled it up, while the consumer stood in line.
        while (consumer != null && !consumer.wants()) {
            line.pollFirst();
            consumer.inLine = false;
            consumer = line.peekFirst();
        }
        return consumer;
    }

    /**
     * True if one of those in line may take the entry; the first one that may is then the first in line.
     *
     * @param last who takes it only if no other does; null for nobody
     */
    boolean leadsOneFor(Entry entry, @Nullable Consumer last) {
        for (int left = line.size(); left > 0; left--) {
            Consumer first = first();
            if (first == null) {
                return false;
            }
            if (first != last && first.mayTake(entry)) {
                return true;
            }
            rotate();
        }
        return last != null && leadsOneFor(entry, null);
    }

    /** Sends the first in line to its end, if it has credit left. */
    void rotate() {
        Consumer consumer = line.pollFirst();
        if (consumer != null) {
            consumer.inLine = false;
            lineUp(consumer);
        }
    }
}
