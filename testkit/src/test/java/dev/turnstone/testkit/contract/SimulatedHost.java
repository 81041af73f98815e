package dev.turnstone.testkit.contract;

import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Broker;
import dev.turnstone.testkit.sim.SimulatedBroker;
import dev.turnstone.testkit.sim.Tampering;
import java.time.Duration;

/** The engine on a simulated journal, run whenever a test waits. */
final class SimulatedHost implements BrokerHost {
    private final SimulatedBroker broker = new SimulatedBroker(1, Limits.DEFAULTS, Tampering.NONE);

    SimulatedHost() {
        broker.start();
    }

    @Override
    public Broker broker() {
        return broker.port();
    }

    @Override
    public void pump() {
        broker.runAndSync();
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
