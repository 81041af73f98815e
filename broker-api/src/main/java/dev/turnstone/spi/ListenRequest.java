package dev.turnstone.spi;

import java.util.Map;

/**
 * What to bind.
 *
 * @param host the interface's address or name
 * @param port the port; 0 takes a free one
 * @param settings further settings of the listener by name; an unknown one is refused
 */
public record ListenRequest(String host, int port, Map<String, String> settings) {
    /** Keeps a copy. */
    public ListenRequest {
        settings = Map.copyOf(settings);
    }
}
