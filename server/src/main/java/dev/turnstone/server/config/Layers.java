package dev.turnstone.server.config;

import io.smallrye.config.ExpressionConfigSourceInterceptor;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all sources together say: a later one wins over an earlier one, for a list as a whole. A value may name others:
 * {@code ${env.HOME}} a variable of the environment, {@code ${sys.user.home}} a property of the JVM, {@code ${data}} a
 * setting, each with {@code :} and what holds if there is none. One thread.
 */
final class Layers {
    private static final Logger LOG = LoggerFactory.getLogger(Layers.class);
    private static final String ENVIRONMENT = "env.";
    private static final String SYSTEM = "sys.";
    private static final int FIRST_ORDINAL = 100;

    private final SortedMap<String, Written> written = new TreeMap<>();
    private final SmallRyeConfig config;
    private final List<Problem> problems;

    /** Of these sources, the weakest first; for what a value names, this environment. */
    Layers(List<Map<String, Written>> sources, Map<String, String> environment, List<Problem> problems) {
        this.problems = problems;
        SmallRyeConfigBuilder builder =
                new SmallRyeConfigBuilder().withInterceptors(new ExpressionConfigSourceInterceptor());
        builder.withSources(new PropertiesConfigSource(prefixed(ENVIRONMENT, environment), "environment", 1));
        builder.withSources(new PropertiesConfigSource(prefixed(SYSTEM, systemProperties()), "properties", 1));
        int ordinal = FIRST_ORDINAL;
        for (Map<String, Written> source : withoutOverridden(sources)) {
            Map<String, String> texts = new HashMap<>();
            source.forEach((name, value) -> texts.put(name, value.text()));
            builder.withSources(new PropertiesConfigSource(texts, "layer " + ordinal, ordinal++));
            written.putAll(source);
        }
        this.config = builder.build();
    }

    private static Map<String, String> prefixed(String prefix, Map<String, String> values) {
        Map<String, String> prefixed = new HashMap<>();
        values.forEach((name, value) -> prefixed.put(prefix + name, value));
        return prefixed;
    }

    private static Map<String, String> systemProperties() {
        Map<String, String> properties = new HashMap<>();
        System.getProperties().forEach((name, value) -> properties.put(String.valueOf(name), String.valueOf(value)));
        return properties;
    }

    /** Half of one list and half of another is what nobody has written. */
    private static List<Map<String, Written>> withoutOverridden(List<Map<String, Written>> sources) {
        List<Map<String, Written>> kept = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (int i = sources.size() - 1; i >= 0; i--) {
            Map<String, Written> source = new TreeMap<>(sources.get(i));
            source.keySet().removeIf(name -> taken.contains(root(name)));
            source.keySet().forEach(name -> taken.add(root(name)));
            kept.add(0, source);
        }
        return kept;
    }

    private static String root(String name) {
        int bracket = name.indexOf('[');
        return bracket < 0 ? name : name.substring(0, bracket);
    }

    /** All that is written, by name. */
    SortedMap<String, Written> written() {
        return written;
    }

    /** A value with what it names filled in; null if nothing is written, or what it names is not there. */
    @Nullable
    Written value(String name) {
        Written raw = written.get(name);
        if (raw == null) {
            return null;
        }
        try {
            String text = config.getConfigValue(name).getValue();
            if (text != null || raw.text().isEmpty()) {
                return new Written(text == null ? "" : text, raw.origin());
            }
        } catch (IllegalArgumentException e) {
            LOG.debug("{}: what it names is not there: {}", name, e.getClass().getSimpleName());
        }
        Problem problem = new Problem(
                raw.origin(),
                name + ": " + (Effective.isSecret(name) ? "" : "'" + raw.text() + "': ")
                        + "what it names is not there; ${env.NAME} is a variable of the"
                        + " environment, ${env.NAME:TEXT} holds also without it");
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
        return null;
    }
}
