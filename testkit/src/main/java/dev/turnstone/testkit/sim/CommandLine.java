package dev.turnstone.testkit.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The commands of one session, in the order in which their outcomes must come. */
final class CommandLine {
    private final Deque<Command> waiting = new ArrayDeque<>();
    private long count;

    Command add(String what, Trace trace) {
        count++;
        return new Command(what, waiting, trace);
    }

    /** How many there were. */
    long count() {
        return count;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The one whose outcome comes next, or null. */
    @Nullable
    Command first() {
        return waiting.peek();
    }
}
