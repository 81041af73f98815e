package dev.turnstone.server.security;

import dev.turnstone.spi.Action;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What a permission allows. Immutable. */
public final class Actions {
    private static final String ALL = "all";

    private final Set<Action> actions;

    private Actions(Set<Action> actions) {
        this.actions = actions;
    }

    /**
     * Reads words with commas between them.
     *
     * @throws IllegalArgumentException if one is no action
     */
    static Actions parse(String words) {
        return of(Arrays.stream(words.split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList());
    }

    /**
     * Reads words.
     *
     * @throws IllegalArgumentException if one is no action
     */
    static Actions of(List<String> words) {
        Set<Action> actions = EnumSet.noneOf(Action.class);
        for (String word : words) {
            if (word.equals(ALL)) {
                actions.addAll(EnumSet.allOf(Action.class));
            } else {
                actions.add(action(word));
            }
        }
        return new Actions(actions);
    }

    private static Action action(String word) {
        for (Action action : Action.values()) {
            if (written(action).equals(word)) {
                return action;
            }
        }
        String known = Arrays.stream(Action.values()).map(Actions::written).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("'" + word + "' is no action; known are: " + known + ", and all");
    }

    private static String written(Action action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    boolean holds(Action action) {
        return actions.contains(action);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Actions same && same.actions.equals(actions);
    }

    @Override
    public int hashCode() {
        return actions.hashCode();
    }

    @Override
    public String toString() {
        return actions.stream().map(Actions::written).collect(Collectors.joining(", "));
    }
}
