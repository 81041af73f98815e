package dev.turnstone.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds what a misspelt word may have meant. */
public final class Spelling {
    private Spelling() {}

    /** The only known word that goes on where this one ends, else the nearest, if it may have been meant. */
    public static Optional<String> nearest(String word, Collection<String> known) {
        List<String> longer = known.stream()
                .filter(candidate -> candidate.startsWith(word + "-"))
                .toList();
        if (longer.size() == 1) {
            return Optional.of(longer.get(0));
        }
        return known.stream()
                .min(Comparator.comparingInt((String candidate) -> distance(word, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(candidate -> distance(word, candidate) <= Math.max(2, word.length() / 2));
    }

    /** How many letters must be put in, taken out or changed (Levenshtein); case does not count. */
    static int distance(String from, String to) {
        String a = from.toLowerCase(Locale.ROOT);
        String b = to.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int changed = a.charAt(i - 1) == b.charAt(j - 1) ? diagonal : diagonal + 1;
                row[j] = Math.min(changed, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
