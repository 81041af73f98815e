package dev.turnstone.server.config;

/**
 * Where a value was written.
 *
 * @param place a file, a variable, an option; empty for nowhere: it is the default
 * @param line the line in a file, counted from 1; 0 for what has none
 */
public record Origin(String place, int line) {
    /** Nowhere. */
    public static final Origin DEFAULT = new Origin("", 0);

    /** How a message about the value begins: empty, or with a colon and a space at its end. */
    String prefix() {
        return place.isEmpty() ? "" : this + ": ";
    }

    @Override
    public String toString() {
        return place.isEmpty() ? "default" : line == 0 ? place : place + ":" + line;
    }
}
