package dev.turnstone.testkit.model;

import dev.turnstone.port.Delivery;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which consumer of a queue may get what: groups, exclusive consumers and priorities. One thread. */
final class Sharing {
    final Ranks ranks;
    private final Box box;
    /** Of an exclusive queue, the one that was its only consumer at a time of rest; null if that is not known. */
    private @Nullable Stream sole;
    /** As for the whole box, for each group: what has long been delivered. */
    private final Map<String, long[]> passedOfGroup = new HashMap<>();

    private final Map<String, long[]> reachedOfGroup = new HashMap<>();

    Sharing(Box box) {
        this.box = box;
        this.ranks = new Ranks(box);
    }

    /** Checks that a consumer may get an entry while others have what they have. */
    void delivered(Entry entry, Stream stream, Tally tally) {
        ranks.delivered(entry, stream);
        Stream only = sole;
        if (box.traits.exclusive() && only != null && only.live) {
            Violation.check(
                    stream == only,
                    Violation.Promise.SHARING,
                    entry + " comes to " + stream + " although " + only + " is there alone");
            tally.saw(Sight.EXCLUSIVE_DELIVERY);
        }
        String group = entry.sent.content.group();
        if (group == null) {
            return;
        }
        for (Entry other : box.entries()) {
            Violation.check(
                    !group.equals(other.sent.content.group()) || !other.isPreparedForSure(),
                    Violation.Promise.SHARING,
                    entry + " comes to " + stream + " while a prepared branch has settled " + other + " of its group");
        }
        if (box.traits.exclusive() || stream.kind != null || box.selective) {
            return;
        }
        tally.saw(Sight.GROUPED_DELIVERY);
        for (Entry other : box.entries()) {
            if (group.equals(other.sent.content.group())) {
                for (Holding holding : other.holdings) {
                    Violation.check(
                            holding.stream == stream || !holding.isOutForSure(),
                            Violation.Promise.SHARING,
                            entry + " comes to " + stream + " while " + holding + " of its group is out");
                }
            }
        }
    }

    /** Checks the order of a first delivery within its group. */
    void firstOfGroup(String group, Entry entry, boolean free, Delivery delivery) {
        int priority = entry.sent.content.priority();
        long[] passed = passedOfGroup.get(group);
        Violation.check(
                free || passed == null || delivery.position() > passed[priority],
                Violation.Promise.ORDER,
                entry + " comes first when later ones of its group have long been delivered");
        long[] reached = reachedOfGroup.computeIfAbsent(group, key -> Stream.positions());
        reached[priority] = Math.max(reached[priority], delivery.position());
    }

    /** Everything has come to rest, and these are the consumers of the box. */
    void rest(List<Stream> live, Tally tally) {
        ranks.rest(live, tally);
        if (sole == null || !sole.live) {
            sole = live.size() == 1 ? live.get(0) : null;
        }
        reachedOfGroup.forEach((group, reached) -> passedOfGroup.put(group, reached.clone()));
    }

    /** True if an entry that is ready must have come to this consumer, or to another one, by now. */
    boolean mustCome(Entry entry, Stream stream, Collection<Stream> live) {
        String group = entry.sent.content.group();
        if (box.traits.exclusive()) {
            return live.size() == 1 && (group == null || !isOut(group, stream));
        }
        return group == null || (live.stream().allMatch(other -> other.credit() > 0) && !isOut(group, null));
    }

    /** True if somebody has something of a group, other than this consumer. */
    private boolean isOut(String group, @Nullable Stream except) {
        return box.entries().stream()
                .anyMatch(other -> group.equals(other.sent.content.group())
                        && (other.isPrepared()
                                || other.holdings.stream().anyMatch(holding -> holding.stream != except)));
    }
}
