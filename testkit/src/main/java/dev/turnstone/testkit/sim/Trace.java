package dev.turnstone.testkit.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last lines of what happened, for a failure's report. */
final class Trace {
    private static final int LINES_MAX = 300;

    private final Deque<String> lines = new ArrayDeque<>();
    private int step;

    void step(int number) {
        step = number;
    }

    void add(String what) {
        if (lines.size() == LINES_MAX) {
            lines.removeFirst();
        }
        lines.add(step + ": " + what);
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
