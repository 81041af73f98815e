package dev.turnstone.testkit.model;

import dev.turnstone.port.Address;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Where messages were seen to be: one position each, never used again, in the order of each producer's commands. */
final class Positions {
    private record Line(Producer producer, Address address) {}

    private final Map<Long, Sent> byPosition = new HashMap<>();
    private final Map<Line, TreeMap<Long, Sent>> byOrder = new HashMap<>();

    void check(Sent sent) {
        Sent same = byPosition.putIfAbsent(sent.position(), sent);
        Violation.check(
                same == null || same == sent,
                Violation.Promise.POSITION,
                sent + " and " + same + " both have position " + sent.position());
        TreeMap<Long, Sent> line =
                byOrder.computeIfAbsent(new Line(sent.producer, sent.content.address()), key -> new TreeMap<>());
        line.put(sent.order, sent);
        checkBefore(line.lowerEntry(sent.order), sent);
        Map.Entry<Long, Sent> after = line.higherEntry(sent.order);
        if (after != null) {
            checkBefore(line.floorEntry(sent.order), after.getValue());
        }
    }

    private static void checkBefore(Map.@Nullable Entry<Long, Sent> earlier, Sent later) {
        Violation.check(
                earlier == null || earlier.getValue().position() < later.position(),
                Violation.Promise.ORDER,
                later + " was sent after " + (earlier == null ? "" : earlier.getValue()) + " and stands before it");
    }
}
