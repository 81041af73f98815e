package dev.turnstone.transport.vertx;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
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
    private final Map<String, From> connected = new HashMap<>();
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
        From from = connected.get(address);
        if ((from == null ? 0 : from.count) >= limits.connectionsPerAddressMax()) {
            return "connectionsPerAddressMax";
        }
        connected.computeIfAbsent(address, From::new).count++;
        return null;
    }

    /** What hears of the end of a connection that has entered from an address: one for all that there are of it. */
    synchronized ChannelFutureListener leaving(String address) {
        return connected.get(address);
    }

    private synchronized void leave(From from) {
        if (--from.count == 0) {
            connected.remove(from.address);
        }
    }

    /** Who is connected from one address. */
    private final class From implements ChannelFutureListener {
        private final String address;
        private int count;

        From(String address) {
            this.address = address;
        }

        @Override
        public void operationComplete(ChannelFuture closed) {
            leave(this);
        }
    }
}
