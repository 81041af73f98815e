package dev.turnstone.server.security;

import dev.turnstone.server.config.Setting;
import java.util.Map;

/**
 * Which plug-in is asked.
 *
 * @param name the plug-in's name
 * @param options what it is given
 */
public record ProviderSettings(
        @Setting(value = "the plug-in's name; see [plug-ins](security.md#plug-ins)", required = true)
        String name,

        @Setting("what the plug-in is given, by names of its own")
        Map<String, String> options) {
    /** Keeps a copy. */
    public ProviderSettings {
        options = Map.copyOf(options);
    }
}
