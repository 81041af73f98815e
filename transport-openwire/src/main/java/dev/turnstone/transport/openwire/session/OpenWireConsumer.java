package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;

/**
 * One consumer of a client: one of the port, or, of a composite destination, one for each member. How many messages it
 * may still be given is the port's credit, which follows the client's prefetch. On the event loop only.
 */
final class OpenWireConsumer {
    private static final int UNFIT_MAX = 10_000;

    private final ConsumerInfo info;
    private final Window window = new Window();
    /** The last number that was delivered, by the number of the port's consumer. */
    private final Map<Integer, Long> delivered = new HashMap<>();
    /** What it consumes from, by the number of the port's consumer. */
    private final Map<Integer, Address> sources = new HashMap<>();

    /** The positions of messages that the client cannot be given, those that came last. */
    private final Set<Long> unfit = new LinkedHashSet<>(0);

    private final Asking asking = new Asking();
    private final Suppressed suppressed = new Suppressed();

    private int prefetch;
    /** So many messages were reported as delivered and let others follow them, before they are settled. */
    private int extension;
    /** So many settled messages let no others follow, since the prefetch has shrunk. */
    private int debt;

    private int browsing;
    private boolean ended;

    OpenWireConsumer(ConsumerInfo info, int prefetch) {
        this.info = info;
        this.prefetch = prefetch;
    }

    void addPort(int port, Address source) {
        delivered.put(port, 0L);
        sources.put(port, source);
        browsing++;
    }

    /** A queue that its pattern found has ended, or is not for it. */
    void removePort(int port) {
        delivered.remove(port);
        sources.remove(port);
        asking.forget(port);
    }

    ConsumerInfo info() {
        return info;
    }

    ConsumerId id() {
        return info.getConsumerId();
    }

    ActiveMQDestination destination() {
        return info.getDestination();
    }

    boolean isBrowser() {
        return info.isBrowser();
    }

    Window window() {
        return window;
    }

    /** The numbers of the port's consumers, and the last delivery of each. */
    Map<Integer, Long> ports() {
        return delivered;
    }

    /** What a consumer of the port, one of {@link #ports}, consumes from. */
    Address source(int port) {
        Address source = sources.get(port);
        if (source == null) {
            throw new IllegalStateException("a delivery to a consumer that there is not");
        }
        return source;
    }

    /** The queue behind a consumer of the port, the same for all of the connection's that share it. */
    Object queue(int port) {
        Address source = source(port);
        // Of a topic each has what it gets for itself.
        return source.kind() == AddressKind.QUEUE ? source : this;
    }

    /** A consumer of the port that consumes from a queue, or 0 if there is none, or no more. */
    int portOf(Object queue) {
        for (int port : delivered.keySet()) {
            if (queue(port).equals(queue)) {
                return port;
            }
        }
        return 0;
    }

    int prefetch() {
        return prefetch;
    }

    /** Changes the prefetch; answers how many messages more it may be given now. */
    int prefetch(int changed) {
        int more = changed - prefetch;
        prefetch = changed;
        if (more < 0) {
            debt -= more;
            return 0;
        }
        int paid = Math.min(debt, more);
        debt -= paid;
        return more - paid;
    }

    void given(Held held) {
        delivered.put(held.port(), held.number());
        window.add(held);
        asking.answered(held.port());
    }

    /** A delivery to it is that of a message that the client has already, and is not given. */
    void passedOver(Held held) {
        delivered.put(held.port(), held.number());
    }

    /** A message comes that the client cannot be given; true if it has not come before. */
    boolean meetsUnfit(long position) {
        if (unfit.size() >= UNFIT_MAX) {
            unfit.remove(unfit.iterator().next());
        }
        return unfit.add(position);
    }

    /** So many that it will settle let no others follow: these have come already. */
    void owe(int count) {
        if (prefetch > 0) {
            debt += count;
        }
    }

    /** The client has passed so many on; answers how many may follow them. */
    int extend(int count) {
        int more = Math.max(0, Math.min(count, window.size() - extension));
        extension += more;
        return repaid(more);
    }

    /** So many are settled; answers how many may follow them. */
    int settled(int count) {
        int followed = Math.min(extension, count);
        extension -= followed;
        return repaid(count - followed);
    }

    private int repaid(int more) {
        if (prefetch == 0) {
            return 0;
        }
        int paid = Math.min(debt, more);
        debt -= paid;
        return more - paid;
    }

    /** A member has been browsed to its end; true if it was the last. */
    boolean browsed() {
        return --browsing == 0;
    }

    void end() {
        ended = true;
        asking.end();
    }

    /** True if what still comes for it is void. */
    boolean isDeaf() {
        return ended || asking.recalls();
    }

    boolean hasEnded() {
        return ended;
    }

    /** What its client's library keeps from the application. */
    Suppressed suppressed() {
        return suppressed;
    }

    /** What it has asked for, message by message. */
    Asking asking() {
        return asking;
    }
}
