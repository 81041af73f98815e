package dev.turnstone.server.config;

/** What a section's record throws whose values do not go together. */
public final class WrongSetting extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String component;

    /**
     * About one of its components.
     *
     * @param component its name
     * @param message what is wrong and what would be right
     */
    public WrongSetting(String component, String message) {
        super(message);
        this.component = component;
    }

    String component() {
        return component;
    }
}
