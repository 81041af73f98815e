package dev.turnstone.server.config;

import java.util.Map;

/**
 * A value that may be written as a section: the value itself as {@code at}, and further settings whose names others
 * know. A static method {@code further()} of the class answers these as a list of {@link Further}, if anybody is to be
 * told of them.
 *
 * @param <T> the value's own type
 */
public interface Extensible<T> {
    /** The same with these further settings, by name. */
    T with(Map<String, String> settings);
}
