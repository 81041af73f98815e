package dev.turnstone.spi;

import java.util.function.Function;

/** What the listeners of one broker share, such as an event loop group. Any thread. */
public interface SharedResources {
    /**
     * The broker's one instance of a type, created by the first caller, closed after the last listener when the broker
     * stops.
     *
     * @param create given the broker's name, makes the instance
     */
    <T extends AutoCloseable> T shared(Class<T> type, Function<String, T> create);
}
