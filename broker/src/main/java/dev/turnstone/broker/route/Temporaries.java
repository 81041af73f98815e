package dev.turnstone.broker.route;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The temporary destinations that each connection has declared. Owned by the engine thread. */
final class Temporaries {
    private final Map<String, Set<Address>> byConnection = new HashMap<>();
    private int count;

    /** The connection has ended; returns what it had. */
    Set<Address> closed(String connection) {
        Set<Address> owned = byConnection.remove(connection);
        if (owned == null) {
            return Set.of();
        }
        count -= owned.size();
        return owned;
    }

    int count() {
        return count;
    }

    void declare(Address temporary, Origin from) {
        checkOwner(temporary, from);
        if (byConnection
                .computeIfAbsent(from.connection(), first -> new LinkedHashSet<>(2))
                .add(temporary)) {
            count++;
        }
    }

    void delete(Address temporary, Origin from) {
        checkOwner(temporary, from);
        check(temporary);
        Set<Address> owned = byConnection.get(from.connection());
        if (owned != null && owned.remove(temporary)) {
            count--;
        }
    }

    boolean declared(Address temporary) {
        Set<Address> owned = byConnection.get(owner(temporary));
        return owned != null && owned.contains(temporary);
    }

    /** Refuses an address that is none, or none any more. */
    void check(Address temporary) {
        if (!declared(temporary)) {
            throw new BrokerException(
                    ErrorCode.INVALID_ADDRESS, "the temporary " + temporary + " does not exist, or no longer");
        }
    }

    /** Refuses whoever may not consume from an address, if it is a temporary one. */
    void checkConsumer(Address address, Origin from) {
        if (address.isTemporary()) {
            if (address.isPattern()) {
                throw new BrokerException(
                        ErrorCode.INVALID_ADDRESS, "temporary destinations are not found by a pattern: " + address);
            }
            checkOwner(address, from);
            check(address);
        }
    }

    /** Refuses another connection than the one that the address names. */
    static void checkOwner(Address temporary, Origin from) {
        if (!temporary.isTemporary()) {
            throw new BrokerException(ErrorCode.INVALID_ADDRESS, temporary + " is not a temporary destination");
        }
        if (!owner(temporary).equals(from.connection())) {
            throw new BrokerException(
                    ErrorCode.FORBIDDEN,
                    "only the connection that made the temporary " + temporary + " may consume from it or delete it");
        }
    }

    private static String owner(Address temporary) {
        List<String> levels = temporary.levels();
        return levels.size() > 1 ? levels.get(1) : "";
    }
}
