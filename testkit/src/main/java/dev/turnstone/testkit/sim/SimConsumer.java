package dev.turnstone.testkit.sim;

import dev.turnstone.port.Address;
import dev.turnstone.testkit.model.Holding;
import dev.turnstone.testkit.model.Stream;
import java.util.ArrayList;
import java.util.List;

/** A consumer and its application: what has come, what has been seen, what can be settled. */
final class SimConsumer {
    final int number;
    final Stream stream;
    final Address address;
    boolean ended;

    private final List<Holding> held = new ArrayList<>();
    private long lastSeen;

    SimConsumer(int number, Stream stream, Address address) {
        this.number = number;
        this.stream = stream;
        this.address = address;
    }

    /** True if it takes everything and has this priority. */
    boolean isOf(int rank) {
        return stream.isOf(rank);
    }

    void add(Holding holding) {
        held.add(holding);
    }

    long lastSeen() {
        return lastSeen;
    }

    /** All that has come and is not over. */
    List<Holding> holdings() {
        held.removeIf(Holding::isOver);
        return held;
    }

    List<Holding> unseen() {
        return holdings().stream()
                .filter(holding -> holding.isHeld() && holding.number() > lastSeen)
                .toList();
    }

    /** What the application has seen and said nothing about. */
    List<Holding> settleable() {
        return holdings().stream()
                .filter(holding -> holding.isHeld() && holding.number() <= lastSeen)
                .toList();
    }

    void see(Holding holding) {
        lastSeen = holding.number();
    }
}
