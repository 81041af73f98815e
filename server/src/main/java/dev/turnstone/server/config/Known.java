package dev.turnstone.server.config;

import java.lang.reflect.AnnotatedElement;
import org.jspecify.annotations.Nullable;

/**
 * A setting that there is.
 *
 * @param name its name without indexes, with a star in place of a name that the user chooses
 * @param kind how it is written
 * @param meaning what it is for
 * @param standard its default as Markdown; empty for none
 * @param live whether a change takes effect at SIGHUP
 */
record Known(String name, Kind kind, String meaning, String standard, boolean live) {
    /** How a setting is written. */
    enum Kind {
        /** One value. */
        VALUE,
        /** Several values, or one text with commas. */
        VALUES,
        /** Several values, each of which may be a section with settings that others know. */
        OPEN
    }

    /** A section's component. */
    static Known of(String name, Kind kind, Setting about, boolean live) {
        String standard = about.required()
                ? "must be given"
                : about.standardInWords().isEmpty() ? code(about.standard()) : about.standardInWords();
        return new Known(name, kind, about.value(), standard, live);
    }

    /** A text that is to be written as it is. */
    static String code(String text) {
        return text.isEmpty() ? text : "`" + text + "`";
    }

    static @Nullable Setting about(AnnotatedElement component) {
        return component.getAnnotation(Setting.class);
    }
}
