package dev.turnstone.broker.store;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Sets and maps, in the order in which their entries came, of which there are very many with one entry or none: those
 * are immutable and small. Each method gives what takes the place of what it was given. Stateless.
 */
public final class Few {
    private Few() {}

    /** With one more. */
    public static <T> Set<T> with(Set<T> few, T one) {
        if (few.isEmpty() || (few.size() == 1 && few.contains(one))) {
            return Set.of(one);
        }
        Set<T> more = few.size() == 1 ? new LinkedHashSet<>(few) : few;
        more.add(one);
        return more;
    }

    /** Without one. */
    public static <T> Set<T> without(Set<T> few, T one) {
        if (few.size() > 1) {
            few.remove(one);
            return few;
        }
        return few.contains(one) ? Set.of() : few;
    }

    /** With this value of a key, in place of another one. */
    public static <K, V> Map<K, V> with(Map<K, V> few, K key, V value) {
        if (few.isEmpty() || (few.size() == 1 && few.containsKey(key))) {
            return Map.of(key, value);
        }
        Map<K, V> more = few.size() == 1 ? new LinkedHashMap<>(few) : few;
        more.put(key, value);
        return more;
    }

    /** Without a key. */
    public static <K, V> Map<K, V> without(Map<K, V> few, K key) {
        if (few.size() > 1) {
            few.remove(key);
            return few;
        }
        return few.containsKey(key) ? Map.of() : few;
    }
}
