package dev.turnstone.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Settings and where each of them comes from. From the weakest source to the strongest: defaults, a file, variables of
 * the environment, properties of the JVM, options. Immutable.
 *
 * @param <R> the record of all settings
 */
public final class Configuration<R extends Record> {
    /** What properties of the JVM that are settings start with. */
    private static final String PROPERTY = "turnstone.";

    private final @Nullable R settings;
    private final List<Effective> effective;
    private final List<Problem> problems;
    private final List<String> warnings;

    private Configuration(
            @Nullable R settings, List<Effective> effective, List<Problem> problems, List<String> warnings) {
        this.settings = settings;
        this.effective = List.copyOf(effective);
        this.problems = List.copyOf(problems);
        this.warnings = List.copyOf(warnings);
    }

    /**
     * Where settings may be written besides the defaults.
     *
     * @param file a YAML file; null for none
     * @param environment the variables of the environment
     * @param properties the properties of the JVM
     * @param options by full name; the value's place is the option that a message names
     */
    public record Sources(
            @Nullable Path file,
            Map<String, String> environment,
            Map<String, String> properties,
            Map<String, Option> options) {}

    /**
     * A setting that an option gives.
     *
     * @param text the value
     * @param option the option, as a message names it
     */
    public record Option(String text, String option) {}

    /** Reads and checks everything; never throws for what users write. */
    public static <R extends Record> Configuration<R> read(Class<R> root, Sources sources) {
        Schema schema = new Schema(root);
        List<Problem> problems = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        List<Map<String, Written>> layers = new ArrayList<>();
        if (sources.file() != null) {
            layers.add(YamlText.read(sources.file(), schema, problems));
        }
        layers.add(new Variables(schema).written(sources.environment(), warnings, problems));
        layers.add(ofProperties(schema, sources.properties()));
        Map<String, Written> options = new TreeMap<>();
        sources.options()
                .forEach((name, option) ->
                        options.put(schema.quoted(name), new Written(option.text(), new Origin(option.option(), 0))));
        layers.add(options);
        for (Map<String, Written> layer : layers) {
            Names.check(schema, layer, problems);
        }
        Binder binder = new Binder(new Layers(layers, sources.environment(), problems), problems);
        R settings = binder.bind(root);
        return new Configuration<>(settings, binder.effective(), problems, warnings);
    }

    /** A record with every setting at its default. */
    public static <R extends Record> R standard(Class<R> section) {
        List<Problem> problems = new ArrayList<>();
        R settings = new Binder(new Layers(List.of(), Map.of(), problems), problems).bind(section);
        if (settings == null) {
            throw new IllegalStateException(section + " has no default: " + problems);
        }
        return settings;
    }

    private static Map<String, Written> ofProperties(Schema schema, Map<String, String> properties) {
        Map<String, Written> written = new TreeMap<>();
        properties.forEach((property, text) -> {
            if (property.startsWith(PROPERTY)) {
                written.put(
                        schema.quoted(property.substring(PROPERTY.length())),
                        new Written(text, new Origin("-D" + property, 0)));
            }
        });
        return written;
    }

    /** The settings; null if there are problems. */
    public @Nullable R settings() {
        return settings;
    }

    /** What is wrong, in the order in which it was found. */
    public List<Problem> problems() {
        return problems;
    }

    /** What may not be meant, but is no mistake. */
    public List<String> warnings() {
        return warnings;
    }

    /** Every setting as it holds. */
    public List<Effective> effective() {
        return effective;
    }

    /** The problem with a setting that all checks of one value have let pass. */
    public Problem problem(String name, String message) {
        Origin origin = originOf(name);
        // A list may be written as one text, which has no entries of its own.
        boolean asOne = origin.equals(Origin.DEFAULT) && name.indexOf('[') >= 0;
        return new Problem(asOne ? originOf(name.substring(0, name.indexOf('['))) : origin, name + ": " + message);
    }

    private Origin originOf(String name) {
        return effective.stream()
                .filter(held -> held.name().equals(name) || held.name().startsWith(name + "."))
                .map(Effective::origin)
                .filter(held -> !held.equals(Origin.DEFAULT))
                .findFirst()
                .orElse(Origin.DEFAULT);
    }
}
