package dev.turnstone.server.config;

/**
 * Something wrong with the settings.
 *
 * @param origin where it is written
 * @param message what is wrong, with the setting's name, and what would be right
 */
public record Problem(Origin origin, String message) {
    @Override
    public String toString() {
        return origin.prefix() + message;
    }
}
