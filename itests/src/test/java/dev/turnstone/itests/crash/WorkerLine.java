package dev.turnstone.itests.crash;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One line of a worker inside the broker's process: what it is about to ask for, or what was confirmed to it. A line
 * that the kill cut short is no line.
 *
 * @param event what happened
 * @param ids the messages
 */
record WorkerLine(Event event, List<String> ids) {
    /** What a worker reports. */
    enum Event {
        /** The broker runs and its listener accepts. */
        READY,
        /** A send is about to be asked for. */
        SEND,
        /** A send returned. */
        SENT,
        /** A message was received. */
        RECEIVED,
        /** A commit that moves messages is about to be asked for. */
        MOVE,
        /** The commit returned. */
        MOVED,
        /** A message that the durable subscription still held, at the end. */
        KEPT,
        /** A worker met an error; the words say which. */
        FAILED
    }

    private static final String END = ";";

    WorkerLine(Event event, String... ids) {
        this(event, List.of(ids));
    }

    String text() {
        return event.name().toLowerCase(Locale.ROOT) + " " + String.join(" ", ids) + END;
    }

    /** The line, or null if it is not a whole one. */
    static @Nullable WorkerLine parse(String text) {
        if (!text.endsWith(END)) {
            return null;
        }
        String[] words = text.substring(0, text.length() - END.length()).split(" ");
        return new WorkerLine(
                Event.valueOf(words[0].toUpperCase(Locale.ROOT)), List.of(words).subList(1, words.length));
    }

    void enter(Flow flow) {
        switch (event) {
            case SEND -> ids.forEach(flow::sendBegun);
            case SENT -> ids.forEach(flow::sendConfirmed);
            case RECEIVED -> ids.forEach(flow::received);
            case MOVE -> flow.moveBegun(ids);
            case MOVED -> flow.moveConfirmed(ids);
            case KEPT -> ids.forEach(flow::kept);
            case READY, FAILED -> {
                // Of the process, not of a flow.
            }
        }
    }
}
