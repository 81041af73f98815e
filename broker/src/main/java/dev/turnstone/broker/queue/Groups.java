package dev.turnstone.broker.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The message groups of one queue. A group's messages go to one consumer, one after the other, as long as it is there;
 * what it has no credit for waits aside, so that it holds up no other group. Never do two consumers have messages of a
 * group at a time. Who comes gets its share: a group moves when nothing of it is out, and with all that waits of it.
 * Owned by the engine thread.
 */
final class Groups {
    /** Groups that are looked at to find one that may be forgotten. */
    private static final int TRIES = 8;

    private final Feeds feeds;
    private final int asideMax;
    /** Those used last come last. */
    private final Map<String, Group> byId = new LinkedHashMap<>(0, 0.75f, true);
    /** What waits aside, for a consumer's credit or until a group may move. */
    private final LinkedHashSet<Entry> aside = new LinkedHashSet<>();
    /** Consumers that have credit again for what waits aside. */
    private final ArrayDeque<Consumer> served = new ArrayDeque<>(0);
    /** Counts how often consumers came or left. */
    private long generation;

    Groups(Feeds feeds, int asideMax) {
        this.feeds = feeds;
        this.asideMax = asideMax;
    }

    /** How many entries wait aside. */
    int aside() {
        return aside.size();
    }

    /** How many groups are remembered. */
    int size() {
        return byId.size();
    }

    /** A consumer has come or is about to go: who gets what is looked at anew. */
    void changed() {
        if (byId.isEmpty()) {
            return;
        }
        generation++;
        lookAgain();
        List<Entry> all = new ArrayList<>(aside);
        all.forEach(this::takeBack);
        all.forEach(feeds::offer);
    }

    /** What feeds have left to the consumers of groups may be for others now. */
    private void lookAgain() {
        for (int i = 0; i < feeds.count(); i++) {
            feeds.get(i).lookAgain();
        }
    }

    private void end(Group group) {
        group.end();
        lookAgain();
    }

    /** The next entry that waits aside for a consumer with credit, or null. */
    @Nullable
    Entry next() {
        for (Consumer first = served.peekFirst(); first != null; first = served.peekFirst()) {
            TreeSet<Entry> waiting = first.share().aside;
            while (!waiting.isEmpty() && !isFor(first, waiting.first())) {
                Entry entry = waiting.first();
                takeBack(entry);
                if (entry.state == EntryState.READY) {
                    feeds.offer(entry);
                }
            }
            if (first.wants() && first.attached() && !waiting.isEmpty()) {
                return waiting.first();
            }
            served.removeFirst();
            first.share().served = false;
        }
        return null;
    }

    /** What a consumer may have may have changed while an entry waited for it. */
    private static boolean isFor(Consumer consumer, Entry entry) {
        return entry.state == EntryState.READY && consumer.mayTake(entry);
    }

    /** Who is to get the entry that {@link #next} gave. */
    Consumer nextFor() {
        return served.getFirst();
    }

    /** A consumer has more credit. */
    void lineUp(Consumer consumer) {
        GroupShare share = consumer.share();
        if (!share.served && consumer.wants() && !share.aside.isEmpty()) {
            share.served = true;
            served.addLast(consumer);
        }
    }

    /**
     * What becomes of an entry of a group, which a feed has come to and somebody in its line could take; null if the
     * feed must wait.
     */
    @Nullable
    Change decide(Feed feed, Entry entry, String id) {
        Group group = byId.get(id);
        Consumer owner = group == null ? null : group.owner();
        // What waits for the group to move is not overtaken, though by now it may stay.
        if (group != null
                && !group.idle()
                && (owner == null || mustMove(group, owner) || !group.waiting().isEmpty())) {
            return aside(entry, feed, group, null);
        }
        if (group == null || owner == null || mustMove(group, owner)) {
            return feed.leadsOneFor(entry, owner) ? to(entry, feed) : feeds.forbidden(entry);
        }
        if (owner.takes(entry)) {
            if (owner.feed != feed) {
                return new Change.PassedOver(entry, feed, group);
            }
            return owner.wants() ? new Change.Dispatched(entry, feed, owner) : aside(entry, feed, group, owner);
        }
        // Its selector leaves this one out, or it may not have it: somebody else gets it.
        return feed.leadsOneFor(entry, null) ? to(entry, feed) : feeds.forbidden(entry);
    }

    /** The same for the consumer that gets everything: only what another has of the group holds it up. */
    @Nullable
    Change decideFor(Consumer sole, Feed feed, Entry entry, String id) {
        Group group = byId.get(id);
        Consumer owner = group == null ? null : group.owner();
        boolean out = group != null && !group.idle() && owner != sole && (owner == null || owner.takes(entry));
        return out ? aside(entry, feed, group, null) : new Change.Dispatched(entry, feed, sole);
    }

    private static Change to(Entry entry, Feed feed) {
        return Change.Dispatched.toFirst(entry, feed);
    }

    private @Nullable Change aside(Entry entry, Feed feed, Group group, @Nullable Consumer owner) {
        return aside.size() < asideMax ? new Change.SetAside(entry, feed, group, owner) : null;
    }

    /** True if consumers have come or gone since, and its consumer has more groups than its share. */
    private boolean mustMove(Group group, Consumer owner) {
        if (group.isFrom(generation)) {
            return false;
        }
        int takers = Math.max(1, feeds.takers());
        return owner.share().groups > (byId.size() + takers - 1) / takers;
    }

    void apply(Change.SetAside change) {
        Entry entry = change.entry();
        change.feed().cursor().pass(entry);
        setAside(entry, change.group(), change.owner());
    }

    void apply(Change.PassedOver change) {
        change.feed().passOver(change.entry());
        change.group().stays(generation);
    }

    private void setAside(Entry entry, Group group, @Nullable Consumer owner) {
        takeBack(entry); // Another feed may have set it aside.
        TreeSet<Entry> place = owner == null ? group.waiting() : owner.share().aside;
        place.add(entry);
        aside.add(entry);
        entry.aside = place;
        entry.group = group;
        group.aside(1);
        if (owner != null) {
            group.stays(generation);
        }
        entry.cameBack = true; // It stays in memory.
    }

    private void takeBack(Entry entry) {
        Group group = entry.group;
        if (entry.aside != null && group != null) {
            entry.aside.remove(entry);
            entry.aside = null;
            aside.remove(entry);
            entry.group = null;
            group.aside(-1);
        }
    }

    /** An entry of a group goes to a consumer. */
    void dispatched(Entry entry, String id, Consumer consumer, int max) {
        takeBack(entry);
        Group group = group(id, max);
        Consumer owner = group.owner();
        if (owner != null && owner != consumer && !owner.takes(entry)) {
            return;
        }
        group.ownedBy(consumer, generation);
        entry.group = group;
        entry.groupFirst = group.goes();
        if (entry.message().groupSequence() < 0) {
            end(group);
            byId.remove(id);
            if (group.hasAside()) {
                takeBack(group, consumer.share().aside);
            }
        }
    }

    /** An entry of a group is with a prepared branch whose session is gone. */
    void locked(Entry entry, String id, int max) {
        Group group = group(id, max);
        entry.group = group;
        group.goes();
        if (entry.message().groupSequence() < 0) {
            byId.remove(id);
        }
    }

    private Group group(String id, int max) {
        Group group = byId.get(id);
        if (group == null) {
            makeRoom(max);
            group = new Group(id);
            byId.put(id, group);
        }
        return group;
    }

    /** A group is over: what waits behind its end is of a new one. */
    private void takeBack(Group group, TreeSet<Entry> place) {
        List<Entry> waited = new ArrayList<>(place);
        for (Entry entry : waited) {
            if (entry.group == group) {
                takeBack(entry);
                feeds.offer(entry);
            }
        }
    }

    private void makeRoom(int max) {
        if (byId.size() < max) {
            return;
        }
        List<Group> busy = new ArrayList<>(0);
        Iterator<Group> oldest = byId.values().iterator();
        for (int tries = TRIES; tries > 0 && oldest.hasNext(); tries--) {
            Group group = oldest.next();
            if (group.idle() && !group.hasAside()) {
                end(group);
                oldest.remove();
                break;
            }
            busy.add(group);
        }
        // Not to be looked at each time.
        busy.forEach(group -> byId.get(group.id()));
    }

    /**
     * An entry of a group is no longer with its consumer.
     *
     * @param unseen true if no application has seen it
     * @return true if others of its group, which waited for that, are ready now
     */
    boolean left(Entry entry, boolean unseen) {
        Group group = entry.group;
        if (group == null) {
            return false;
        }
        group.back(unseen && entry.groupFirst);
        entry.group = null;
        entry.groupFirst = false;
        if (!group.idle() || group.waiting().isEmpty()) {
            return false;
        }
        List<Entry> waited = new ArrayList<>(group.waiting());
        waited.forEach(this::takeBack);
        waited.forEach(feeds::offer);
        return true;
    }

    /** An entry that comes back stands before what of its group waits aside; true if it waits there too. */
    boolean takesBack(Entry entry) {
        if (aside.isEmpty()) {
            return false;
        }
        String id = entry.message().group();
        Group group = id == null ? null : byId.get(id);
        Consumer owner = group == null ? null : group.owner();
        if (group == null || owner == null || owner.share().aside.isEmpty() || !owner.takes(entry)) {
            return false;
        }
        if (mustMove(group, owner) || !group.waiting().isEmpty()) {
            return false;
        }
        setAside(entry, group, owner);
        lineUp(owner);
        return true;
    }

    /** An entry leaves the queue. */
    void forget(Entry entry) {
        takeBack(entry);
    }
}
