package dev.turnstone.itests.crash;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * The account of one line of work: messages are sent to a source queue, and each is moved in one transaction to a
 * target queue and a copy queue. An action is begun before it is asked for and confirmed after its answer; between the
 * two it is in doubt. Any thread.
 */
final class Flow {
    private final String name;
    private final Set<String> sendsBegun = new HashSet<>();
    private final Set<String> sendsConfirmed = new HashSet<>();
    private final Set<String> movesBegun = new HashSet<>();
    private final Set<String> movesConfirmed = new HashSet<>();
    private final List<String> kept = new ArrayList<>();
    private int cameAgain;
    private CountDownLatch progress = new CountDownLatch(0);

    Flow(String name) {
        this.name = name;
    }

    String source() {
        return name + ".source";
    }

    String target() {
        return name + ".target";
    }

    String copy() {
        return name + ".copy";
    }

    synchronized void sendBegun(String id) {
        sendsBegun.add(id);
    }

    synchronized void sendConfirmed(String id) {
        sendsConfirmed.add(id);
        progress.countDown();
    }

    /** A latch that so many further sends or moves open. */
    synchronized CountDownLatch after(int confirmations) {
        progress = new CountDownLatch(confirmations);
        return progress;
    }

    /** A message came from the source. */
    synchronized void received(String id) {
        if (movesConfirmed.contains(id)) {
            cameAgain++;
        }
    }

    synchronized void moveBegun(Collection<String> ids) {
        movesBegun.addAll(ids);
    }

    synchronized void moveConfirmed(Collection<String> ids) {
        movesConfirmed.addAll(ids);
        progress.countDown();
    }

    /** A durable subscription still held a copy. */
    synchronized void kept(String id) {
        kept.add(id);
    }

    /** What {@link #kept} was told of, in order. */
    synchronized List<String> kept() {
        return List.copyOf(kept);
    }

    /** Judges by what the two queues and the copies' queue or subscription hold at the end. */
    synchronized Verdict judge(List<String> source, List<String> target, List<String> copy) {
        Map<String, int[]> counts = new HashMap<>();
        count(source, 0, counts);
        count(target, 1, counts);
        count(copy, 2, counts);
        sendsConfirmed.forEach(id -> counts.computeIfAbsent(id, absent -> new int[3]));
        movesConfirmed.forEach(id -> counts.computeIfAbsent(id, absent -> new int[3]));
        int lost = 0;
        int doubled = cameAgain;
        int halfDone = 0;
        for (Map.Entry<String, int[]> entry : counts.entrySet()) {
            String id = entry.getKey();
            int[] where = entry.getValue();
            boolean confirmed = sendsConfirmed.contains(id) || movesConfirmed.contains(id);
            if (confirmed && where[0] + where[1] + where[2] == 0) {
                lost++;
            } else if (where[0] > 1 || where[1] > 1 || where[2] > 1) {
                doubled++;
            } else if (isHalf(id, where)) {
                halfDone++;
            }
        }
        return new Verdict(name, sendsConfirmed.size(), movesConfirmed.size(), inDoubt(), lost, doubled, halfDone);
    }

    /**
     * A message that is neither only at the source nor only at target and copy, or moved though nobody committed, or
     * not though confirmed.
     */
    private boolean isHalf(String id, int[] where) {
        boolean atSource = where[0] == 1 && where[1] == 0 && where[2] == 0;
        boolean moved = where[0] == 0 && where[1] == 1 && where[2] == 1;
        return (!atSource && !moved)
                || (moved && !movesBegun.contains(id))
                || (atSource && (movesConfirmed.contains(id) || !sendsBegun.contains(id)));
    }

    private int inDoubt() {
        return sendsBegun.size() - sendsConfirmed.size() + movesBegun.size() - movesConfirmed.size();
    }

    private static void count(List<String> ids, int queue, Map<String, int[]> counts) {
        for (String id : ids) {
            counts.computeIfAbsent(id, absent -> new int[3])[queue]++;
        }
    }
}
