package dev.turnstone.server.config;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.server.config.Known.Kind;
import dev.turnstone.spi.ByteSize;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Which settings and sections there are, read from a record's components. Immutable. */
final class Schema {
    private static final Pattern INDEX = Pattern.compile("\\[\\d+]");
    private static final Pattern CHOSEN = Pattern.compile("\"[^\"]*\"");

    private final SortedMap<String, Known> settings = new TreeMap<>();
    private final SortedSet<String> sections = new TreeSet<>();
    private final SortedSet<String> lists = new TreeSet<>();
    private final SortedSet<String> maps = new TreeSet<>();
    /** What entries of open settings may have, by the order of their names; some have one name and two meanings. */
    private final List<Known> further = new ArrayList<>();

    Schema(Class<? extends Record> root) {
        addSection("", root, false);
    }

    private void addSection(String prefix, Class<?> section, boolean live) {
        for (RecordComponent component : section.getRecordComponents()) {
            Setting about = Known.about(component);
            boolean isLive = live || about != null && about.live();
            String name = prefix + component.getName();
            if (component.getType() == Limits.class) {
                addLimits();
            } else if (component.getType() == AddressRules.class) {
                addAddresses(name, isLive);
            } else if (component.getType().isRecord() && !isValue(component.getType())) {
                sections.add(name);
                addSection(name + ".", component.getType(), isLive);
            } else if (about != null) {
                add(name, component, about, isLive);
            }
        }
    }

    private void add(String name, RecordComponent component, Setting about, boolean live) {
        Class<?> type = component.getType();
        if (Map.class.isAssignableFrom(type)) {
            maps.add(name);
            Class<?> entry = argument(component.getGenericType(), 1);
            if (entry.isRecord() && !isValue(entry)) {
                addSection(name + ".*.", entry, live);
            } else {
                put(name + ".*", Kind.VALUE, about, live);
            }
        } else if (Collection.class.isAssignableFrom(type)) {
            Class<?> element = argument(component.getGenericType(), 0);
            if (Extensible.class.isAssignableFrom(element)) {
                put(name, Kind.OPEN, about, live);
                further(element)
                        .forEach(one -> further.add(new Known(
                                name + "." + one.name(), Kind.VALUE, one.meaning(), Known.code(one.standard()), live)));
                further.sort(Comparator.comparing(Known::name).thenComparing(Known::meaning));
            } else if (element.isRecord() && !isValue(element)) {
                lists.add(name);
                addSection(name + ".", element, live);
            } else {
                put(name, Kind.VALUES, about, live);
            }
        } else {
            put(name, about.list() ? Kind.VALUES : Kind.VALUE, about, live);
        }
    }

    private static List<Further> further(Class<?> element) {
        List<Further> further = new ArrayList<>();
        try {
            Method told = element.getDeclaredMethod("further");
            told.setAccessible(true);
            for (Object one : (List<?>) told.invoke(null)) {
                further.add((Further) one);
            }
        } catch (NoSuchMethodException e) {
            return List.of(); // Nobody is told.
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        return further;
    }

    private void put(String name, Kind kind, Setting about, boolean live) {
        settings.put(name, Known.of(name, kind, about, live));
    }

    private void addLimits() {
        for (Limit limit : Limit.values()) {
            settings.put(
                    limit.setting(),
                    new Known(
                            limit.setting(),
                            Kind.VALUE,
                            limit.meaning(),
                            standard(limit.unit(), limit.standardInWords()),
                            false));
        }
    }

    private void addAddresses(String name, boolean live) {
        maps.add(name);
        for (AddressSetting setting : AddressSetting.values()) {
            String full = name + ".*." + setting.setting();
            String standard = standard(setting.unit(), setting.standard());
            settings.put(full, new Known(full, Kind.VALUE, setting.meaning(), standard, live));
        }
    }

    private static String standard(String unit, String words) {
        boolean bytes = unit.equals(Convert.BYTES) && words.chars().allMatch(Character::isDigit);
        String text = bytes ? ByteSize.format(Long.parseLong(words)) : words;
        return !text.isEmpty() && (Character.isDigit(text.charAt(0)) || !text.contains(" ")) ? Known.code(text) : text;
    }

    /** True for a record that is written as one text. */
    static boolean isValue(Class<?> type) {
        return Convert.parser(type) != null;
    }

    static Class<?> argument(Type generic, int index) {
        return (Class<?>) ((ParameterizedType) generic).getActualTypeArguments()[index];
    }

    /** A written name as the schema has it: without indexes, with a star in place of chosen names. */
    static String plain(String name) {
        return CHOSEN.matcher(INDEX.matcher(name).replaceAll("")).replaceAll("*");
    }

    /**
     * A name as it is kept, from one in which the names that people choose have no quotes of their own: what stands
     * between a map's name and the setting, dots and all, is chosen.
     */
    String quoted(String name) {
        if (name.indexOf('"') >= 0 || settings.containsKey(plain(name))) {
            return name;
        }
        for (String map : maps) {
            if (!map.contains("*") && name.startsWith(map + ".")) {
                String rest = name.substring(map.length() + 1);
                int end = settingAt(map, rest);
                return end < 0
                        ? map + ".\"" + rest + '"'
                        : map + ".\"" + rest.substring(0, end) + '"' + rest.substring(end);
            }
        }
        return name;
    }

    /** Where the setting begins behind a chosen name: the longest that there is, else the last level; -1 for none. */
    private int settingAt(String map, String rest) {
        if (settings.containsKey(map + ".*")) {
            return -1;
        }
        for (int dot = rest.indexOf('.', 1); dot >= 0; dot = rest.indexOf('.', dot + 1)) {
            if (settings.containsKey(map + ".*" + plain(rest.substring(dot)))) {
                return dot;
            }
        }
        return rest.lastIndexOf('.');
    }

    SortedMap<String, Known> settings() {
        return settings;
    }

    /** The settings of entries of open settings, by name. */
    List<Known> further() {
        return further;
    }

    /** All that there is, by name. */
    List<Known> all() {
        List<Known> all = new ArrayList<>(settings.values());
        all.addAll(further);
        all.sort(Comparator.comparing(Known::name));
        return all;
    }

    boolean isMap(String name) {
        return maps.contains(plain(name));
    }

    boolean isSectionList(String name) {
        return lists.contains(plain(name));
    }

    boolean isSection(String name) {
        String plain = plain(name);
        boolean chosen = plain.endsWith(".*") && maps.contains(plain.substring(0, plain.length() - 2));
        return sections.contains(plain) || lists.contains(plain) || maps.contains(plain) || chosen;
    }

    /** The setting with open entries that this name belongs to, as in {@code listen[1].tls.key}; false if none. */
    boolean isOpenEntrysOwn(String name) {
        String plain = plain(name);
        return settings.values().stream()
                .anyMatch(known -> known.kind() == Kind.OPEN && plain.startsWith(known.name() + "."));
    }
}
