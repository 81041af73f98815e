package dev.turnstone.broker.session;

import dev.turnstone.spi.Principal;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Those connections that must end at a time, by that time. Owned by the engine thread. */
final class Expiries {
    private final TreeSet<Expiry> expiries =
            new TreeSet<>(Comparator.comparingLong(Expiry::atMs).thenComparing(Expiry::id));

    private record Expiry(long atMs, String id, @Nullable ConnectionState connection) {
        static Expiry of(ConnectionState connection) {
            Principal principal = connection.access().principal();
            return new Expiry(principal.expiresAtMs(), connection.origin().connection(), connection);
        }
    }

    void add(ConnectionState connection) {
        if (connection.access().principal().expiresAtMs() != Principal.NEVER) {
            expiries.add(Expiry.of(connection));
        }
    }

    /** Before its principal changes, or when it has ended. */
    void remove(ConnectionState connection) {
        if (!expiries.isEmpty()) {
            expiries.remove(Expiry.of(connection));
        }
    }

    /** When the next one is due; {@link Principal#NEVER} if there is none. */
    long dueMs() {
        return expiries.isEmpty() ? Principal.NEVER : expiries.first().atMs();
    }

    /** One whose time has come, or null. */
    @Nullable
    ConnectionState due(long nowMs) {
        return dueMs() <= nowMs ? expiries.first().connection() : null;
    }
}
