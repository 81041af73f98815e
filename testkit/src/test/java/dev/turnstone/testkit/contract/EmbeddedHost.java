package dev.turnstone.testkit.contract;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.port.Broker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;

/** An embedded broker with its own threads, on files. */
final class EmbeddedHost implements BrokerHost {
    /** Each test makes a journal anew; the usual files would take most of its time. */
    private static final JournalLimits SMALL_FILES = new JournalLimits(
            JournalLimits.DEFAULTS.outstandingBytes(), JournalLimits.DEFAULTS.recordMaxBytes(), 3 << 20);

    private final BrokerSettings settings;
    private EmbeddedBroker broker;

    EmbeddedHost(Path folder, Map<String, String> limits) {
        settings =
                BrokerSettings.in(folder).withLimits(SimulatedHost.from(limits)).withJournalLimits(SMALL_FILES);
        broker = EmbeddedBroker.start(settings);
    }

    /** How many chunks of bodies its folder has. */
    int chunks() {
        String[] names = settings.data().resolve("pages").toFile().list((folder, name) -> name.startsWith("4"));
        return names == null ? 0 : names.length;
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
        Awaitility.await().atMost(patience().plus(time)).until(() -> nowMs() >= end);
    }

    @Override
    public void restart() {
        broker.close();
        broker = EmbeddedBroker.start(settings);
    }

    @Override
    public Duration patience() {
        return Duration.ofSeconds(60);
    }

    @Override
    public void close() {
        broker.close();
    }
}
