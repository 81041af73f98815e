package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.jspecify.annotations.Nullable;

/**
 * One consumer of a client: one of the port, or, of a composite destination, one for each member. How many messages it
 * may still be given is the port's credit, which follows the client's prefetch. On the event loop only.
 */
final class OpenWireConsumer {
    private final ConsumerInfo info;
    private final Window window = new Window();
    /** The last number that was delivered, by the number of the port's consumer. */
    private final Map<Integer, Long> delivered = new HashMap<>();
    /** What it consumes from, by the number of the port's consumer. */
    private final Map<Integer, Address> sources = new HashMap<>();

    /** What went back to the queue while the client still has it, by position. */
    private final Map<Long, Orphan> orphans = new HashMap<>();

    private final Asking asking = new Asking();

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

    /** They go back to the queue, and the client goes on with what it has of them. */
    void orphan(List<Held> returned) {
        for (Held held : returned) {
            orphans.put(held.position(), new Orphan(held.sequence(), null));
        }
    }

    /** The client says what becomes of some that are under way to it again; false if there is none. */
    boolean settleOrphans(long first, long last, Outcome outcome) {
        boolean any = false;
        for (Map.Entry<Long, Orphan> entry : orphans.entrySet()) {
            long sequence = entry.getValue().sequence();
            if (sequence >= first && sequence <= last) {
                entry.setValue(new Orphan(sequence, outcome));
                any = true;
            }
        }
        return any;
    }

    /** The one that comes back here, or null if the message is new to the client. */
    @Nullable
    Orphan adopt(long position) {
        return orphans.isEmpty() ? null : orphans.remove(position);
    }

    /** The client has it already, and will acknowledge it by the number that it knows. */
    void adopted(Held held) {
        delivered.put(held.port(), held.number());
        window.insert(held);
    }

    /**
     * A delivery that the client has and the queue has got back.
     *
     * @param sequence by which the client knows it
     * @param outcome what the client has said of it meanwhile, or null
     */
    record Orphan(long sequence, @Nullable Outcome outcome) {}

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
    }

    /** True if what still comes for it is void. */
    boolean isDeaf() {
        return ended || asking.recalls();
    }

    boolean hasEnded() {
        return ended;
    }

    /** What it has asked for, message by message. */
    Asking asking() {
        return asking;
    }
}
