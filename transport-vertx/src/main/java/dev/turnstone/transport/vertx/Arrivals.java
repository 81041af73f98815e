package dev.turnstone.transport.vertx;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who is connected, over all listeners of a broker, and who connects how often. Holds one entry for each address that
 * is connected or has connected within this second. Any thread.
 */
final class Arrivals {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final LongSupplier nanoTime;
    private final Map<String, Integer> connected = new HashMap<>();
    private final Map<String, Integer> thisSecond = new HashMap<>();
    private long second;
    private int connections;
    private long refused;

    Arrivals(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Counts one more connection; or counts nothing and names the setting that it is too many for. */
    synchronized @Nullable String enter(WireSettings limits) {
        if (connections >= limits.connectionsMax()) {
            return "connectionsMax";
        }
        connections++;
        return null;
    }

    synchronized void leave() {
        connections--;
    }

    /** One was turned away. */
    synchronized void refuse() {
        refused++;
    }

    /** How many were turned away. */
    synchronized long refused() {
        return refused;
    }

    /** How many connections there are. */
    synchronized int count() {
        return connections;
    }

    /** Counts one more connection from an address; or counts none and names the setting that it is too many for. */
    synchronized @Nullable String enter(String address, WireSettings limits) {
        long now = Math.floorDiv(nanoTime.getAsLong(), NANOS_PER_SECOND);
        if (now != second) {
            second = now;
            thisSecond.clear();
        }
        if (thisSecond.merge(address, 1, Integer::sum) > limits.connectsPerSecondMax()) {
            return "connectsPerSecondMax";
        }
        int count = connected.getOrDefault(address, 0);
        if (count >= limits.connectionsPerAddressMax()) {
            return "connectionsPerAddressMax";
        }
        connected.put(address, count + 1);
        return null;
    }

    synchronized void leave(String address) {
        connected.computeIfPresent(address, (known, count) -> count == 1 ? null : count - 1);
    }
}
