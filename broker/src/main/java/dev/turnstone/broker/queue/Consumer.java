package dev.turnstone.broker.queue;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.port.ConsumerOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One consumer of one queue: its credit, how much of what it was given is not taken, and its unsettled deliveries.
 * Owned by the engine thread.
 */
public final class Consumer {
    private final int number;
    private final Receiver receiver;
    private final @Nullable Selector selector;
    private final Unsettled unsettled = new Unsettled();
    private final Kind kind;
    private final Allowance allowance = new Allowance();
    private long shown;
    /** True while it stands in line for the next entry. */
    boolean inLine;

    private @Nullable Matching matching;
    private ConsumerOptions options = ConsumerOptions.DEFAULTS;
    /** What it has of message groups; null before the first. */
    private @Nullable GroupShare share;

    @Nullable
    Feed feed;

    private enum Kind {
        /** Takes everything. */
        TAKES,
        /** Takes what it may consume by its address. */
        TAKES_PERMITTED,
        /** Looks at everything. */
        BROWSES,
        /** Looks at what it may consume by its address. */
        BROWSES_PERMITTED
    }

    /** A browser without credit: it is shown what waits and consumes nothing. */
    public static Consumer browser(int number, Receiver receiver, @Nullable Selector selector) {
        return new Consumer(number, receiver, selector, Kind.BROWSES);
    }

    /** A browser without credit of messages from many addresses: it is shown those that it may consume. */
    public static Consumer browserOfMany(int number, Receiver receiver, @Nullable Selector selector) {
        return new Consumer(number, receiver, selector, Kind.BROWSES_PERMITTED);
    }

    /**
     * A consumer without credit of messages from many addresses: it is given those that it may consume.
     *
     * @param matching knows by which filters they have come, or null if nobody asks
     */
    public static Consumer ofMany(
            int number, Receiver receiver, @Nullable Selector selector, @Nullable Matching matching) {
        Consumer consumer = new Consumer(number, receiver, selector, Kind.TAKES_PERMITTED);
        consumer.matching = matching;
        return consumer;
    }

    /**
     * A consumer without credit.
     *
     * @param number its number in the session
     * @param selector what it takes, or null for everything
     */
    public Consumer(int number, Receiver receiver, @Nullable Selector selector) {
        this(number, receiver, selector, Kind.TAKES);
    }

    private Consumer(int number, Receiver receiver, @Nullable Selector selector, Kind kind) {
        this.kind = kind;
        this.number = number;
        this.receiver = receiver;
        this.selector = selector;
    }

    /** The same one, which stands beside others as these options say; before it is attached. */
    public Consumer with(ConsumerOptions other) {
        options = other;
        return this;
    }

    ConsumerOptions options() {
        return options;
    }

    /** What it has of message groups. */
    GroupShare share() {
        GroupShare known = share;
        if (known == null) {
            known = new GroupShare();
            share = known;
        }
        return known;
    }

    /** Its number in the session. */
    public int number() {
        return number;
    }

    /** True while it may be given deliveries. */
    public boolean attached() {
        return feed != null;
    }

    /** How many deliveries are unsettled. */
    public int unsettledCount() {
        return unsettled.size();
    }

    /** Takes a delivery out of those that are unsettled; null if it is unknown or settled. */
    public @Nullable Entry take(long deliveryNumber) {
        return unsettled.remove(deliveryNumber);
    }

    /** Takes those from one number to another out of the deliveries that are unsettled, in their order. */
    public List<Entry> take(long first, long last) {
        return unsettled.remove(first, last);
    }

    /** The unsettled deliveries from one number to another, in their order. */
    public List<Entry> unsettled(long first, long last) {
        return unsettled.range(first, last);
    }

    @Nullable
    Selector selector() {
        return selector;
    }

    int credit() {
        return allowance.credit();
    }

    /** From so many bytes on that are not taken it gets no more, and from fewer on if all have much. */
    void mayHave(long bytes, Memory ofAll) {
        allowance.most(bytes, ofAll);
    }

    /** True if it has credit, and not yet as much as it may have. */
    boolean wants() {
        return allowance.any();
    }

    /** So many bytes of what it was given are taken. */
    void taken(long bytes) {
        allowance.taken(bytes);
    }

    void addCredit(int messages, int most) {
        allowance.add(messages, most);
    }

    /** It is given no more, and what it has not seen of what it was given comes back. */
    public void clearCredit() {
        allowance.clear();
    }

    /** True if it looks and takes nothing. */
    public boolean browses() {
        return kind == Kind.BROWSES || kind == Kind.BROWSES_PERMITTED;
    }

    /** The options of the filters by which the entry came; empty if that is not known. */
    public List<Long> filters(Entry entry) {
        return matching == null ? List.of() : matching.filters(entry);
    }

    /** True if it may be given the entry, or shown it. */
    boolean mayTake(Entry entry) {
        return kind == Kind.TAKES
                || kind == Kind.BROWSES
                || receiver.permits(entry.message().address());
    }

    /** True if it would be given the entry, were it the only one. */
    boolean takes(Entry entry) {
        return mayTake(entry) && (selector == null || selector.matches(entry.message()));
    }

    /** Spends credit and shows the entry. */
    void look(Entry entry, long causeLsn) {
        allowance.spend(entry.bytes());
        receiver.show(this, ++shown, entry, causeLsn);
    }

    void lookEnded() {
        allowance.clear();
        receiver.shownAll(this);
    }

    /** Takes over an entry that is delivered to another consumer already. */
    public void adopt(Entry entry) {
        receiver.deliver(
                this,
                unsettled.add(entry),
                entry,
                Math.max(entry.causeLsn, entry.stored().lsn()));
    }

    /** Spends credit and hands the entry over. */
    void receive(Entry entry) {
        allowance.spend(entry.bytes());
        adopt(entry);
    }
}
