package dev.turnstone.testkit.contract;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.port.Broker;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/** An embedded broker with its own threads, on files. */
final class EmbeddedHost implements BrokerHost {
    private final BrokerSettings settings;
    private EmbeddedBroker broker;

    EmbeddedHost(Path folder) {
        settings = BrokerSettings.in(folder);
        broker = EmbeddedBroker.start(settings);
    }

    @Override
    public Broker broker() {
        return broker.broker();
    }

    @Override
    public void pump() {
        // Its threads run by themselves.
    }

    @Override
    public long nowMs() {
        return System.currentTimeMillis();
    }

    @Override
    public void pass(Duration time) {
        long end = nowMs() + time.toMillis();
        Awaitility.await().until(() -> nowMs() >= end);
    }

    @Override
    public void restart() {
        broker.close();
        broker = EmbeddedBroker.start(settings);
    }

    @Override
    public Duration patience() {
        return Duration.ofSeconds(10);
    }

    @Override
    public void close() {
        broker.close();
    }
}
