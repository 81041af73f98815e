package dev.turnstone.broker.settings;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses a setting is about: levels with dots between them, {@code *} for any one level, {@code >} at the end
 * for any number of levels; {@code queue:} or {@code topic:} before it for one kind only. Levels are escaped as in
 * {@link Address}. Immutable. In order, the more specific comes first: at the first level that differs a name is before
 * {@code *}, which is before {@code >}; of two that differ in the kind alone the one that names it is first.
 */
final class AddressPattern implements Comparable<AddressPattern> {
    private static final String ANY = "*";
    private static final String REST = ">";
    private static final String QUEUE = "queue:";
    private static final String TOPIC = "topic:";

    private final @Nullable AddressKind kind;
    private final List<String> written;
    /** Unescaped; a wildcard's place holds what was written. */
    private final List<String> names;

    private AddressPattern(@Nullable AddressKind kind, List<String> written, List<String> names) {
        this.kind = kind;
        this.written = written;
        this.names = names;
    }

    /**
     * Reads the written form.
     *
     * @throws IllegalArgumentException if it is not of that form
     */
    static AddressPattern parse(String text) {
        AddressKind kind =
                text.startsWith(QUEUE) ? AddressKind.QUEUE : text.startsWith(TOPIC) ? AddressKind.TOPIC : null;
        String name = kind == null ? text : text.substring(QUEUE.length());
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an address pattern must not be empty");
        }
        List<String> written = List.of(name.split("\\.", -1));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            String level = written.get(i);
            if (level.equals(REST) && i + 1 < written.size()) {
                throw new IllegalArgumentException(
                        "'>' stands for the rest of an address and can only be the last level");
            }
            if (level.length() > 1 && (level.contains(ANY) || level.contains(REST))) {
                throw new IllegalArgumentException(
                        "in '" + level + "' the wildcard is not a level of its own; '*' stands for one whole level");
            }
            boolean plain = !level.isEmpty() && !level.equals(ANY) && !level.equals(REST);
            names.add(plain ? Address.queue(level).levels().get(0) : level);
        }
        return new AddressPattern(kind, written, List.copyOf(names));
    }

    /** True if it is the name of one queue or topic, without wildcards. */
    boolean isExact() {
        return written.stream().noneMatch(level -> level.equals(ANY) || level.equals(REST));
    }

    /** True if the address is one of these. */
    boolean matches(Address address) {
        if (kind != null && kind != address.kind()) {
            return false;
        }
        List<String> levels = address.levels();
        int last = written.size() - 1;
        boolean rest = written.get(last).equals(REST);
        if (rest ? levels.size() < last : levels.size() != written.size()) {
            return false;
        }
        for (int i = 0; i < (rest ? last : written.size()); i++) {
            if (!written.get(i).equals(ANY) && !names.get(i).equals(levels.get(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int compareTo(AddressPattern other) {
        int common = Math.min(written.size(), other.written.size());
        for (int i = 0; i < common; i++) {
            int first = Integer.compare(rank(written.get(i)), rank(other.written.get(i)));
            int order = first != 0 ? first : names.get(i).compareTo(other.names.get(i));
            if (order != 0) {
                return order;
            }
        }
        int longer = Integer.compare(other.written.size(), written.size());
        return longer != 0 ? longer : Integer.compare(kindRank(kind), kindRank(other.kind));
    }

    private static int rank(String level) {
        return level.equals(REST) ? 2 : level.equals(ANY) ? 1 : 0;
    }

    /** True if addresses of this kind may match. */
    boolean mayBe(AddressKind one) {
        return kind == null || kind == one;
    }

    private static int kindRank(@Nullable AddressKind kind) {
        return kind == null ? 2 : kind == AddressKind.TOPIC ? 1 : 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressPattern that && compareTo(that) == 0;
    }

    @Override
    public int hashCode() {
        return names.hashCode();
    }

    @Override
    public String toString() {
        return (kind == null ? "" : kind == AddressKind.QUEUE ? QUEUE : TOPIC) + String.join(".", written);
    }
}
