package dev.turnstone.server.config;

import dev.turnstone.server.config.Known.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds settings among the variables of the environment: {@code TURNSTONE_JOURNAL_FILEBYTES} is
 * {@code journal.fileBytes}, {@code TURNSTONE_SECURITY_PERMISSIONS_0__ROLE} is {@code security.permissions[0].role}.
 */
final class Variables {
    /** So that no other program's variables are taken for settings. */
    private static final String PREFIX = "TURNSTONE_";

    /** Those that start so and are no settings. */
    private static final List<String> OTHERS = List.of("TURNSTONE_JAVA_OPTS", "TURNSTONE_CONFIG");

    private static final String INDEX = "[#]";

    private final List<Shape> shapes = new ArrayList<>();
    /** What starts like an entry's setting; no other program makes such variables. */
    private final List<Pattern> entries = new ArrayList<>();

    /** What variables of a setting look like, and its name with a mark for each index. */
    private record Shape(Pattern variable, String name) {
        @Nullable
        String nameOf(String candidate) {
            Matcher matcher = variable.matcher(candidate);
            if (!matcher.matches()) {
                return null;
            }
            String indexed = name;
            for (int group = 1; group <= matcher.groupCount(); group++) {
                String index = matcher.group(group);
                indexed = indexed.replaceFirst(Pattern.quote(INDEX), index == null ? "" : "[" + index + "]");
            }
            return indexed;
        }
    }

    Variables(Schema schema) {
        for (Known known : schema.settings().values()) {
            // A name that users choose has letters of both sizes, which a variable has not.
            if (!known.name().contains("*")) {
                shapes.add(shape(schema, known));
            }
            if (known.kind() == Kind.OPEN) {
                addEntries(schema, known.name());
            }
        }
    }

    /** What entries have besides their text: {@code TURNSTONE_LISTEN_0__TLS_KEY} is {@code listen[0].tls.key}. */
    private void addEntries(Schema schema, String name) {
        String begin = PREFIX + variable(name) + "_(\\d+)__";
        entries.add(Pattern.compile(begin + ".*"));
        shapes.add(new Shape(Pattern.compile(begin + "AT"), name + INDEX + ".at"));
        for (Known further : schema.further()) {
            if (further.name().startsWith(name + ".")) {
                String rest = further.name().substring(name.length() + 1);
                shapes.add(new Shape(Pattern.compile(begin + variable(rest)), name + INDEX + "." + rest));
            }
        }
    }

    private static String variable(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    private static Shape shape(Schema schema, Known known) {
        StringBuilder pattern = new StringBuilder(PREFIX);
        StringBuilder plain = new StringBuilder();
        StringBuilder name = new StringBuilder();
        for (String level : known.name().split("\\.")) {
            if (!plain.isEmpty()) {
                pattern.append('_');
                plain.append('.');
                name.append('.');
            }
            pattern.append(variable(level));
            plain.append(level);
            name.append(level);
            if (schema.isSectionList(plain.toString())) {
                pattern.append("_(\\d+)_");
                name.append(INDEX);
            }
        }
        if (known.kind() != Kind.VALUE) {
            pattern.append("(?:_(\\d+)_)?");
            name.append(INDEX);
        }
        return new Shape(Pattern.compile(pattern.toString()), name.toString());
    }

    /**
     * What they say, by the settings' names. Of those that look like settings and are none there is a warning; it is a
     * mistake if they belong to an entry, which may be less safe without.
     */
    Map<String, Written> written(Map<String, String> environment, List<String> warnings, List<Problem> problems) {
        Map<String, Written> written = new TreeMap<>();
        environment.forEach((variable, text) -> {
            if (!variable.startsWith(PREFIX) || OTHERS.contains(variable)) {
                return;
            }
            String name = nameOf(variable);
            if (name != null) {
                written.put(name, new Written(text, new Origin(variable, 0)));
            } else if (entries.stream()
                    .anyMatch(entry -> entry.matcher(variable).matches())) {
                problems.add(new Problem(
                        new Origin(variable, 0), "no entry has such a setting; 'turnstone config docs' names those"));
            } else {
                // No mistake: other programs set such variables, Kubernetes for each service of that name.
                warnings.add("the variable " + variable + " is no setting, and is not used");
            }
        });
        return written;
    }

    private @Nullable String nameOf(String variable) {
        for (Shape shape : shapes) {
            String name = shape.nameOf(variable);
            if (name != null) {
                return name;
            }
        }
        return null;
    }
}
