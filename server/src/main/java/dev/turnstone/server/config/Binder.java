package dev.turnstone.server.config;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.BrokerException;
import dev.turnstone.spi.ByteSize;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes a record, and those within, of what is written. Goes on after a mistake, to name all of them. One thread. */
final class Binder {
    private static final String AT = "at";
    private static final Object WRONG = new Object();

    private final Layers layers;
    private final List<Problem> problems;
    private final List<Effective> effective = new ArrayList<>();

    Binder(Layers layers, List<Problem> problems) {
        this.layers = layers;
        this.problems = problems;
    }

    /** Every setting as it holds, in the order of the records. */
    List<Effective> effective() {
        return effective;
    }

    /** The record; null if there are problems. */
    <R extends Record> @Nullable R bind(Class<R> root) {
        Object bound = section("", root, false);
        return problems.isEmpty() ? root.cast(bound) : null;
    }

    private Object section(String prefix, Class<?> type, boolean live) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = component(prefix + components[i].getName(), components[i], live);
        }
        if (Arrays.asList(values).contains(WRONG)) {
            return WRONG;
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            return wrongSection(prefix, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object wrongSection(String prefix, Throwable cause) {
        if (cause instanceof WrongSetting wrong) {
            return wrong(prefix + wrong.component(), wrong.getMessage());
        } else if (cause instanceof IllegalArgumentException || cause instanceof BrokerException) {
            return wrong(prefix.isEmpty() ? prefix : prefix.substring(0, prefix.length() - 1), cause.getMessage());
        }
        throw new IllegalStateException(cause);
    }

    private Object component(String name, RecordComponent component, boolean live) {
        Setting about = Known.about(component);
        boolean isLive = live || about != null && about.live();
        Class<?> type = component.getType();
        if (type == Limits.class) {
            return limits();
        } else if (type == AddressRules.class) {
            return addresses(name, isLive);
        } else if (type.isRecord() && !Schema.isValue(type)) {
            return isNullable(component) && !isWritten(name) ? nothing() : section(name + ".", type, isLive);
        } else if (about == null) {
            throw new IllegalStateException(name + " says nothing about itself");
        } else if (Map.class.isAssignableFrom(type)) {
            return map(name, Schema.argument(component.getGenericType(), 1), about, isLive);
        } else if (Collection.class.isAssignableFrom(type)) {
            return collection(name, component, about, isLive);
        }
        return single(name, type, about, isLive);
    }

    @SuppressWarnings("NullAway") // A component that may be null is given null.
    private static @Nullable Object nothing() {
        return null;
    }

    private static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private boolean isWritten(String name) {
        return layers.written().keySet().stream()
                .anyMatch(written ->
                        written.equals(name) || written.startsWith(name + ".") || written.startsWith(name + "["));
    }

    private Object wrong(String name, String message) {
        problems.add(new Problem(originOf(name), name.isEmpty() ? message : name + ": " + message));
        return WRONG;
    }

    /** Where a setting is written; for a section that nobody has named itself, where the first of it is. */
    private Origin originOf(String name) {
        Written exactly = layers.written().get(name);
        if (exactly != null) {
            return exactly.origin();
        }
        return layers.written().entrySet().stream()
                .filter(entry -> !name.isEmpty() && entry.getKey().startsWith(name))
                .map(entry -> entry.getValue().origin())
                .findFirst()
                .orElse(name.contains(".") ? originOf(name.substring(0, name.lastIndexOf('.'))) : Origin.DEFAULT);
    }

    private void holds(String name, String text, Origin origin, boolean live) {
        effective.add(new Effective(name, text, origin, live));
    }

    private @Nullable Object single(String name, Class<?> type, Setting about, boolean live) {
        String text = about.standard();
        Origin origin = Origin.DEFAULT;
        List<String> list = about.list() ? texts(name) : null;
        Written written = layers.value(name);
        if (list != null) {
            text = String.join(", ", list);
            origin = originOf(name);
        } else if (written != null) {
            text = written.text();
            origin = written.origin();
        }
        if (text.isEmpty() && about.required()) {
            return wrong(name, "is missing");
        }
        if (text.isEmpty() && origin.equals(Origin.DEFAULT)) {
            holds(name, text, origin, live);
            return null;
        }
        holds(name, text, origin, live);
        try {
            return Convert.value(name, type, about, text);
        } catch (IllegalArgumentException e) {
            return wrong(name, quoted(name, text) + e.getMessage());
        }
    }

    private static String quoted(String name, String text) {
        return Effective.isSecret(name) ? "" : "'" + text + "': ";
    }

    private Object limits() {
        Limits limits = Limits.DEFAULTS;
        for (Limit limit : Limit.values()) {
            String name = limit.setting();
            Written written = layers.value(name);
            holds(
                    name,
                    written == null ? limit.standardInWords() : written.text(),
                    written == null ? Origin.DEFAULT : written.origin(),
                    false);
            if (written != null) {
                try {
                    limits = limits.with(
                            limit, Convert.number(name, limit.unit(), written.text(), limit.least(), limit.most()));
                } catch (IllegalArgumentException e) {
                    wrong(name, quoted(name, written.text()) + e.getMessage());
                }
            }
        }
        return limits;
    }

    private Object collection(String name, RecordComponent component, Setting about, boolean live) {
        Class<?> element = Schema.argument(component.getGenericType(), 0);
        List<Object> values = new ArrayList<>();
        if (Extensible.class.isAssignableFrom(element)) {
            values.addAll(open(name, element, live));
        } else if (element.isRecord() && !Schema.isValue(element)) {
            for (String place : places(name)) {
                values.add(section(place + ".", element, live));
            }
        } else {
            values.addAll(elements(name, element, about, live));
        }
        if (values.contains(WRONG)) {
            return WRONG;
        } else if (values.isEmpty() && isNullable(component) && !isWritten(name)) {
            return nothing();
        } else if (values.isEmpty() && about.required()) {
            return wrong(name, "is missing");
        }
        return component.getType() == Set.class ? new LinkedHashSet<>(values) : values;
    }

    private List<Object> elements(String name, Class<?> element, Setting about, boolean live) {
        List<String> texts = texts(name);
        boolean given = texts != null;
        List<String> held = given ? texts : Convert.parts(about.standard());
        holds(name, String.join(", ", held), given ? originOf(name) : Origin.DEFAULT, live);
        List<Object> values = new ArrayList<>();
        for (String text : held) {
            try {
                values.add(Convert.element(element, text));
            } catch (IllegalArgumentException e) {
                values.add(wrong(name, quoted(name, text) + e.getMessage()));
            }
        }
        return values;
    }

    /** The texts of a list, or the parts of one text; null if neither is written. */
    private @Nullable List<String> texts(String name) {
        Written one = layers.value(name);
        if (one != null) {
            return Convert.parts(one.text());
        }
        List<String> texts = new ArrayList<>();
        for (String place : places(name)) {
            Written written = layers.value(place);
            if (written != null) {
                texts.add(written.text().strip());
            }
        }
        return texts.isEmpty() ? null : texts;
    }

    /** The entries of a list that are written, in their order: the tenth behind the ninth. */
    private Set<String> places(String name) {
        Pattern entry = Pattern.compile(Pattern.quote(name) + "\\[(\\d{1,9})](?:\\..+)?");
        Set<Integer> indexes = new TreeSet<>();
        for (String written : layers.written().keySet()) {
            Matcher found = entry.matcher(written);
            if (found.matches()) {
                indexes.add(Integer.valueOf(found.group(1)));
            }
        }
        Set<String> places = new LinkedHashSet<>();
        indexes.forEach(index -> places.add(name + "[" + index + "]"));
        return places;
    }

    /** Entries that are texts, alone or with settings beside them, or sections with the text as {@code at}. */
    private List<Object> open(String name, Class<?> element, boolean live) {
        Map<String, String> parts = new LinkedHashMap<>();
        Written one = layers.value(name);
        if (one != null) {
            holds(name, one.text(), one.origin(), live);
            Convert.parts(one.text()).forEach(text -> parts.put(name + "[" + parts.size() + "]", text));
        }
        Set<String> places = new LinkedHashSet<>(parts.keySet());
        places.addAll(places(name));
        List<Object> values = new ArrayList<>();
        for (String place : places) {
            Map<String, String> further = further(place, live);
            Map<String, String> texts = new LinkedHashMap<>();
            put(texts, name, parts.get(place));
            put(texts, place, plain(place, live));
            put(texts, place + "." + AT, further.remove(AT));
            if (texts.size() == 1) {
                texts.forEach((at, text) -> values.add(openEntry(at, text, element, further)));
            } else {
                values.add(wrong(place + "." + AT, texts.isEmpty() ? "is missing" : "is given more than once"));
            }
        }
        if (values.isEmpty()) {
            holds(name, "", Origin.DEFAULT, live);
        }
        return values;
    }

    private static void put(Map<String, String> texts, String name, @Nullable String text) {
        if (text != null) {
            texts.put(name, text);
        }
    }

    private @Nullable String plain(String place, boolean live) {
        Written plain = layers.value(place);
        if (plain == null) {
            return null;
        }
        holds(place, plain.text(), plain.origin(), live);
        return plain.text();
    }

    private Object openEntry(String name, String text, Class<?> element, Map<String, String> further) {
        try {
            Object value = Convert.element(element, text.strip());
            return further.isEmpty() ? value : ((Extensible<?>) value).with(further);
        } catch (IllegalArgumentException e) {
            return wrong(name, e.getMessage());
        }
    }

    private Map<String, String> further(String place, boolean live) {
        Map<String, String> further = new TreeMap<>();
        for (String name : layers.written().keySet()) {
            if (name.startsWith(place + ".")) {
                String key = name.substring(place.length() + 1).replaceAll("\\[\\d+]$", "");
                List<String> texts = texts(place + "." + key);
                Written written = layers.value(name);
                if (texts != null && written != null && !further.containsKey(key)) {
                    boolean single = name.equals(place + "." + key);
                    String text = single ? written.text() : String.join(",", texts);
                    further.put(key, text);
                    holds(place + "." + key, text, written.origin(), live);
                }
            }
        }
        return further;
    }

    /** By patterns, as a map; but each setting of a pattern is one of the engine's own. */
    private Object addresses(String name, boolean live) {
        AddressRules rules = AddressRules.DEFAULTS;
        for (String place : chosen(name)) {
            String pattern = place.substring(name.length() + 2, place.length() - 1);
            for (AddressSetting setting : AddressSetting.values()) {
                String full = place + "." + setting.setting();
                Written written = layers.value(full);
                if (written != null) {
                    holds(full, written.text(), written.origin(), live);
                    try {
                        boolean bytes = setting.unit().equals(Convert.BYTES);
                        Object value = bytes ? ByteSize.parse(written.text()) : written.text();
                        rules = rules.with(pattern, setting, value);
                    } catch (IllegalArgumentException e) {
                        wrong(full, quoted(full, written.text()) + e.getMessage());
                    } catch (BrokerException e) {
                        wrong(full, quoted(full, written.text()) + first(e));
                    }
                }
            }
        }
        return rules;
    }

    /** The cause that says what is wrong, without the names that are around it. */
    private static String first(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }

    /** The sections of a map, by their full names. */
    private Set<String> chosen(String name) {
        Pattern entry = Pattern.compile("(" + Pattern.quote(name) + "\\.\"[^\"]*\")(?:\\..+)?");
        Set<String> chosen = new LinkedHashSet<>();
        for (String written : layers.written().keySet()) {
            Matcher found = entry.matcher(written);
            if (found.matches()) {
                chosen.add(found.group(1));
            }
        }
        return chosen;
    }

    private Object map(String name, Class<?> type, Setting about, boolean live) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (String place : chosen(name)) {
            Object value = type.isRecord() && !Schema.isValue(type)
                    ? section(place + ".", type, live)
                    : single(place, type, about, live);
            // It is written, so null is what names something that is not there.
            values.put(place.substring(name.length() + 2, place.length() - 1), value == null ? WRONG : value);
        }
        return values.containsValue(WRONG) ? WRONG : values;
    }
}
