package dev.turnstone.broker.queue;

import dev.turnstone.broker.queue.Departure.Cause;
import dev.turnstone.broker.settings.AddressSettings;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.port.Address;
import dev.turnstone.port.DeadLetter;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one queue that are on their way to a dead-letter or expiry address, in the order of their positions.
 * Owned by the engine thread.
 */
final class Departures {
    private final QueueContext context;
    /** By position; null before the first. */
    private @Nullable TreeMap<Long, Leaving> all;

    private record Leaving(Entry entry, Departure why) {}

    Departures(QueueContext context) {
        this.context = context;
    }

    void add(Entry entry, Departure departure) {
        TreeMap<Long, Leaving> leaving = all == null ? new TreeMap<>() : all;
        leaving.put(entry.position(), new Leaving(entry, departure));
        all = leaving;
        entry.queue().room().given(entry);
    }

    void remove(Entry entry) {
        if (all != null) {
            all.remove(entry.position());
        }
        entry.queue().room().back(entry);
    }

    /** How many there are. */
    int count() {
        return all == null ? 0 : all.size();
    }

    /** Who is to leave next, or null. */
    @Nullable
    Entry first() {
        return all == null || all.isEmpty() ? null : all.firstEntry().getValue().entry();
    }

    /** One goes to where it was to go, in one unit: it leaves here and is there, or neither. */
    void move(Entry entry, QueueState queue, QueueIdentity from) {
        Leaving leaving = all == null ? null : all.get(entry.position());
        Departure why = leaving == null ? Departure.EXPIRED : leaving.why();
        context.traffic().left(why.cause(), queue.index().traffic());
        Address target = target(queue.settings(), why.cause());
        if (target == null) {
            queue.perform(new Change.Settled(entry, true));
            return;
        }
        MessageStore store = context.store();
        store.beginUnit();
        context.router().route(message(entry, why, from, target));
        queue.perform(new Change.Settled(entry));
        // What has made it leave may be recorded alone: the commit that rejected it, or that has put it here.
        store.endUnit(store.log().latestLsn());
    }

    /** Where an entry goes for that; null for nowhere: it is dropped. */
    static @Nullable Address target(AddressSettings settings, Cause cause) {
        return cause == Cause.EXPIRED
                ? settings.expiry()
                : settings.redelivery().deadLetter();
    }

    /** The message as it goes on: to another address, and saying what has happened. */
    private static Message message(Entry entry, Departure why, QueueIdentity from, Address target) {
        Message message = entry.message();
        MessageBuilder moved = message.toBuilder(target)
                .expiryMs(0)
                .deliveryTimeMs(0)
                .property(DeadLetter.REASON, why.cause().word())
                .property(DeadLetter.ORIGINAL_ADDRESS, message.address().toString())
                .property(DeadLetter.ATTEMPTS, entry.attempts);
        if (from.subscription() != null) {
            moved.property(DeadLetter.ORIGINAL_SUBSCRIPTION, from.subscription());
        }
        if (message.expiryMs() != 0) {
            moved.property(DeadLetter.ORIGINAL_EXPIRATION, message.expiryMs());
        }
        forgetIdentity(message, DedupId.HEADER, moved);
        forgetIdentity(message, DedupId.PROPERTY, moved);
        if (why.text() != null) {
            moved.property(DeadLetter.EXCEPTION, why.text());
        }
        return moved.build();
    }

    private static void forgetIdentity(Message message, String property, MessageBuilder moved) {
        Object identity = message.property(property);
        if (identity != null) {
            moved.without(property).property(DeadLetter.ORIGINAL_DEDUP_ID, identity);
        }
    }
}
