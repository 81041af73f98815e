package dev.turnstone.testkit.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether consumers of a higher priority are served first. Certain is only what holds from one time of rest to the
 * next: who had credit then, has not had so many deliveries since and recalled nothing had credit all the time. One
 * thread.
 */
final class Ranks {
    private final Box box;
    private final Map<Stream, Integer> priorities = new HashMap<>();
    /** Those that take everything, with what is left of their credit of the last time of rest. */
    private final Map<Stream, Integer> left = new LinkedHashMap<>();

    private final List<Served> served = new ArrayList<>();

    private record Served(Entry entry, Stream stream) {}

    Ranks(Box box) {
        this.box = box;
    }

    /** A consumer has a priority. */
    void rank(Stream stream, int priority) {
        priorities.put(stream, priority);
    }

    /** A consumer's priority. */
    int rank(Stream stream) {
        return priorities.getOrDefault(stream, 0);
    }

    /** A consumer was given something. */
    void delivered(Entry entry, Stream stream) {
        left.computeIfPresent(stream, (one, credit) -> credit - 1);
        if (entry.sent.content.group() == null && !box.traits.exclusive()) {
            served.add(new Served(entry, stream));
        }
    }

    /** A consumer gives credit back, or ends. */
    void recalled(Stream stream) {
        left.remove(stream);
    }

    /** Everything has come to rest, and these are the consumers of the box. */
    void rest(List<Stream> live, Tally tally) {
        served.forEach(one -> check(one, tally));
        beginAnew();
        for (Stream stream : live) {
            if (stream.kind == null && stream.credit() > 0) {
                left.put(stream, stream.credit());
            }
        }
    }

    private void check(Served one, Tally tally) {
        left.forEach((stream, credit) -> {
            Violation.check(
                    credit <= 0 || rank(stream) <= rank(one.stream),
                    Violation.Promise.SHARING,
                    one.entry + " came to " + one.stream + " although " + stream + " is of higher priority");
            if (rank(stream) < rank(one.stream)) {
                tally.saw(Sight.RANKED_DELIVERY);
            }
        });
    }

    /** The broker has started anew; nobody is there. */
    void restarted() {
        beginAnew();
        priorities.clear();
    }

    private void beginAnew() {
        served.clear();
        left.clear();
    }
}
