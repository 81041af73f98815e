package dev.turnstone.testkit.model;

import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.SubscriptionName;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What holds messages: a queue, or one life of a topic subscription. */
public final class Box {
    enum State {
        /** The subscription was asked for. */
        ASKED,
        /** There for certain. */
        LIVE,
        /** A durable subscription whose creation or deletion was left in doubt. */
        DOUBT,
        /** Its end was asked for. */
        ENDING,
        /** It ended. */
        GONE
    }

    /**
     * What a subscription takes of its topic.
     *
     * @param name its name, or null if it ends with its consumer
     * @param owner the session that made it
     * @param kind the kind of message that its selector asks for, or null for all
     * @param filters what it is of in place of one topic, or null
     */
    public record Filter(
            @Nullable SubscriptionName name,
            Producer owner,
            @Nullable String kind,
            boolean noLocal,
            @Nullable Filters filters) {
        /** One of a topic. */
        public Filter(@Nullable SubscriptionName name, Producer owner, @Nullable String kind, boolean noLocal) {
            this(name, owner, kind, noLocal, null);
        }

        boolean takes(Sent sent) {
            if (kind != null && !kind.equals(sent.content.kind())) {
                return false;
            }
            if (!noLocal) {
                return true;
            }
            return name == null
                    ? owner.connection() != sent.producer.connection()
                    : !Objects.equals(name.clientId(), sent.producer.clientId());
        }
    }

    private static final int PRIORITIES = 10;

    final Address address;
    final @Nullable Filter filter;
    final Traits traits;
    final Sharing sharing = new Sharing(this);
    final Unshown unshown = new Unshown();
    /** True if consumers with selectors have been here. */
    boolean selective;

    State state;
    /** Deliveries may be on their way back that the model has not seen. */
    int unseenReturns;
    /** As {@link #unseenReturns}, and they come back flagged. */
    int unseenLosses;

    private final Map<Sent, Entry> entries = new LinkedHashMap<>();
    /** Per priority, the highest position that a consumer of everything had got at the last time of rest. */
    private final long[] passed = new long[PRIORITIES];

    private final long[] reached = new long[PRIORITIES];
    private int overFlagsLeft;

    /**
     * An empty one.
     *
     * @param asked true if it is there when somebody who asks for it hears so, false if it always is
     */
    Box(Address address, @Nullable Filter filter, Traits traits, boolean asked) {
        this.address = address;
        this.traits = traits;
        this.filter = filter;
        this.state = asked ? State.ASKED : State.LIVE;
        Arrays.fill(passed, -1);
        Arrays.fill(reached, -1);
    }

    /** True for a subscription that ends with its consumer. */
    boolean endsWithConsumer() {
        return filter != null && filter.name() == null;
    }

    /** True for a durable subscription that is there for certain and has no delivery that is not over. */
    public boolean deletable() {
        return state == State.LIVE
                && filter != null
                && filter.name() != null
                && entries.values().stream()
                        .allMatch(entry -> entry.holdings.isEmpty() && entry.fate != Entry.Fate.DOUBT);
    }

    /** True if it is there for certain. */
    public boolean isLive() {
        return state == State.LIVE;
    }

    /** Its consumer is about to end, or has ended for certain. */
    void consumerEnds(boolean certain) {
        if (endsWithConsumer()) {
            state = certain ? State.GONE : State.ENDING;
        }
    }

    /** A filter of it, or its end, was confirmed. */
    public void changed(Address topic, boolean there) {
        filters().confirmed(topic, there);
    }

    /** Its creation was confirmed. */
    public void confirmed() {
        if (state == State.ASKED || state == State.DOUBT) {
            state = State.LIVE;
        }
    }

    /** True if it takes the message as far as its topics are certain. */
    boolean takes(Sent sent) {
        Filters filters = filter == null ? null : filter.filters();
        Address topic = sent.content.address();
        return filter != null
                && (filters == null ? address.matches(topic) : filters.mayTake(topic))
                && filter.takes(sent);
    }

    /** True if a message that it {@link #takes} is taken for certain. */
    boolean takesForSure(Sent sent) {
        Filters filters = filter == null ? null : filter.filters();
        return state == State.LIVE && (filters == null || filters.takes(sent.content.address()));
    }

    /** The filters of a subscription's queue. */
    Filters filters() {
        Filters filters = filter == null ? null : filter.filters();
        if (filters == null) {
            throw new IllegalStateException(this + " has no filters");
        }
        return filters;
    }

    Collection<Entry> entries() {
        return entries.values();
    }

    @Nullable
    Entry entry(Sent sent) {
        return entries.get(sent);
    }

    Entry add(Sent sent, boolean member) {
        Entry entry = new Entry(sent, this, member);
        entry.past.goneBefore = traits.refuses() ? Fullness.gone(this) : 0;
        entries.put(sent, entry);
        sent.entries.add(entry);
        return entry;
    }

    /** Deliveries that nobody will see have come back or will. */
    void unseenReturned(boolean flagged) {
        unshown.returns(flagged);
        for (Entry entry : entries.values()) {
            // What its holder has given back may be back by now, and may have been among them.
            boolean held = entry.holdings.stream().anyMatch(Holding::excludesOthers);
            entry.returns(false, held ? entry.cause : null);
            entry.past.mayFlag |= flagged;
        }
    }

    /** All that is persistent is there again, from one moment; the rest is gone. */
    void restarted(Object cause, boolean orderly) {
        sharing.ranks.restarted();
        unshown.returns(!orderly);
        for (Entry entry : entries.values()) {
            entry.returns(false, cause);
            entry.past.mayFlag |= !orderly;
            if (!entry.sent.content.persistent()) {
                entry.fate = Entry.Fate.GONE;
            }
        }
    }

    /** Whether it is still there is not known, so nothing in it is certain. */
    void inDoubt() {
        state = State.DOUBT;
        entries.values().forEach(entry -> entry.member = false);
    }

    /** So many entries may be flagged without having been seen. */
    void allowOverFlags(int more) {
        overFlagsLeft += more;
    }

    void overFlagged(Entry entry) {
        overFlagsLeft--;
        Violation.check(
                overFlagsLeft >= 0, Violation.Promise.FLAG, "more than a block is flagged for nothing, now " + entry);
    }

    /** Checks the order of a first delivery among all consumers. */
    void firstDelivery(Entry entry, boolean ofEverything, Delivery delivery) {
        String group = entry.sent.content.group();
        boolean free = entry.returned || unseenReturns > 0 || entry.sent.content.dueMs() > 0;
        if (group != null) {
            if (!selective) {
                sharing.firstOfGroup(group, entry, free, delivery);
            }
            return;
        }
        int priority = entry.sent.content.priority();
        long position = entry.sent.position();
        Violation.check(
                free || position > passed[priority],
                Violation.Promise.ORDER,
                entry + " at " + position + " comes first when " + passed[priority] + " has long been delivered");
        if (ofEverything) {
            reached[priority] = Math.max(reached[priority], position);
        }
    }

    /** Everything that was dispatched has been seen. */
    void rest() {
        System.arraycopy(reached, 0, passed, 0, PRIORITIES);
    }

    @Override
    public String toString() {
        if (filter == null) {
            return "queue " + address.name();
        }
        SubscriptionName name = filter.name();
        return name == null ? "subscription of session " + filter.owner().session() : "subscription " + name.name();
    }
}
