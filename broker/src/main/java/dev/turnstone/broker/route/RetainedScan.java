package dev.turnstone.broker.route;

import dev.turnstone.port.Address;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way through sorted topics that match a pattern: where to look next, passing over whole ranges that cannot match.
 * Keys sort topics level by level. Immutable; any thread.
 */
final class RetainedScan {
    /** Between the levels of a key, and less than whatever a level holds. */
    private static final char SEPARATOR = 1;
    /** After a prefix: greater than all keys that go on from there, less than the next level at its place. */
    private static final char BEYOND = 2;

    private final String[] pattern;

    RetainedScan(Address topic) {
        this.pattern = topic.name().split("\\.", -1);
    }

    /** What a topic is sorted by. */
    static String key(Address topic) {
        return topic.name().replace('.', SEPARATOR);
    }

    /** The least key that may match. */
    String start() {
        int literal = 0;
        while (literal < pattern.length && !isWildcard(pattern[literal])) {
            literal++;
        }
        return String.join(String.valueOf(SEPARATOR), List.of(pattern).subList(0, literal));
    }

    /**
     * Looks at a key that is there: itself if it matches, else the least key after it that may match, null if there is
     * none.
     */
    @Nullable
    String next(String key) {
        String[] levels = key.split(String.valueOf(SEPARATOR), -1);
        if (levels[0].startsWith("$") && isWildcard(pattern[0])) {
            return "%";
        }
        for (int i = 0; i < pattern.length; i++) {
            if (pattern[i].equals(">")) {
                return key;
            }
            if (i == levels.length) {
                return key + SEPARATOR + (isWildcard(pattern[i]) ? "" : pattern[i]);
            }
            int order = pattern[i].equals("*") ? 0 : levels[i].compareTo(pattern[i]);
            if (order < 0) {
                return join(levels, i) + pattern[i];
            }
            if (order > 0) {
                return beyond(levels, i - 1);
            }
        }
        return levels.length == pattern.length ? key : beyond(levels, pattern.length - 1);
    }

    /** The least key that is greater than all that have the same level as this at the last wildcard up to there. */
    private @Nullable String beyond(String[] levels, int last) {
        for (int i = last; i >= 0; i--) {
            if (pattern[i].equals("*")) {
                return join(levels, i) + levels[i] + BEYOND;
            }
        }
        return null;
    }

    private static String join(String[] levels, int count) {
        return count == 0
                ? ""
                : String.join(String.valueOf(SEPARATOR), List.of(levels).subList(0, count)) + SEPARATOR;
    }

    private static boolean isWildcard(String level) {
        return level.equals("*") || level.equals(">");
    }

    /** The least key after this one. */
    static String after(String key) {
        return key + SEPARATOR;
    }
}
