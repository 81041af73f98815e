package dev.turnstone.server.security;

import dev.turnstone.port.Address;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.Principal;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets roles do something with addresses. Immutable.
 *
 * @param roles to whom; {@link #EVERYBODY} for all that are logged in
 * @param addresses with what
 * @param actions what
 */
public record Permission(Set<String> roles, AddressPattern addresses, Set<Action> actions) {
    /** In place of a role: all that are logged in. */
    public static final String EVERYBODY = "*";

    private static final String ALL = "all";

    /** Keeps copies. */
    public Permission {
        roles = Set.copyOf(roles);
        actions = Set.copyOf(actions);
    }

    /**
     * Reads the written form.
     *
     * @throws IllegalArgumentException if the pattern or an action is not one
     */
    public static Permission of(List<String> roles, String addresses, List<String> actions) {
        return new Permission(Set.copyOf(roles), AddressPattern.parse(addresses), actions(actions));
    }

    private static Set<Action> actions(List<String> words) {
        Set<Action> actions = EnumSet.noneOf(Action.class);
        for (String word : words) {
            if (word.equals(ALL)) {
                actions.addAll(EnumSet.allOf(Action.class));
            } else {
                actions.add(action(word));
            }
        }
        return actions;
    }

    private static Action action(String word) {
        for (Action action : Action.values()) {
            if (action.name().toLowerCase(Locale.ROOT).equals(word)) {
                return action;
            }
        }
        String known = Arrays.stream(Action.values())
                .map(action -> action.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        throw new IllegalArgumentException("'" + word + "' is no action; known are: " + known + ", and all");
    }

    boolean allows(Principal principal, @Nullable String clientId, Action action, Address address) {
        return actions.contains(action) && isFor(principal) && addresses.matches(address, principal.name(), clientId);
    }

    private boolean isFor(Principal principal) {
        if (roles.contains(EVERYBODY)) {
            return true;
        }
        for (String role : principal.roles()) {
            if (roles.contains(role)) {
                return true;
            }
        }
        return false;
    }
}
