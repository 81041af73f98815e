package dev.turnstone.testkit.contract;

import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.port.Broker;
import dev.turnstone.testkit.sim.SimulatedBroker;
import dev.turnstone.testkit.sim.Tampering;
import java.time.Duration;
import java.util.Map;

/** The engine on a simulated journal, run whenever a test waits. */
final class SimulatedHost implements BrokerHost {
    private final SimulatedBroker broker;
    private boolean holding;

    SimulatedHost(Map<String, String> limits) {
        this(from(limits));
    }

    /** The default limits, but these. */
    static Limits from(Map<String, String> values) {
        Limits limits = Limits.DEFAULTS;
        for (Map.Entry<String, String> value : values.entrySet()) {
            limits = limits.with(value.getKey(), value.getValue());
        }
        return limits;
    }

    SimulatedHost(Limits limits) {
        broker = new SimulatedBroker(1, limits, JournalLimits.DEFAULTS, AddressRules.DEFAULTS, Tampering.NONE);
        broker.start();
    }

    /** From now on nothing becomes durable, until a restart or {@link #release}. */
    void hold() {
        holding = true;
    }

    void release() {
        holding = false;
    }

    /** The page files do what they were asked for, and the engine hears of it; the journal stays as it is. */
    void pages() {
        broker.finishPages();
        broker.run();
    }

    int pendingUnits() {
        return broker.pendingUnits();
    }

    /** Dies and starts again; so many units survive of those that are not durable. */
    void crashKeeping(int units) {
        broker.crashKeeping(units);
        broker.start();
        holding = false;
    }

    /** How many files it has beside its journal. */
    int chunks() {
        return broker.pages().fileCount();
    }

    @Override
    public Broker broker() {
        return broker.port();
    }

    @Override
    public void pump() {
        if (holding) {
            broker.run();
        } else {
            broker.runAndSync();
        }
    }

    @Override
    public long nowMs() {
        return broker.nowMs();
    }

    @Override
    public void pass(Duration time) {
        broker.pass(time.toMillis());
    }

    @Override
    public void restart() {
        broker.stop();
        broker.start();
        holding = false;
    }

    @Override
    public Duration patience() {
        return Duration.ofMillis(500);
    }

    @Override
    public void close() {
        broker.stop();
    }
}
