package dev.turnstone.server.metrics;

import dev.turnstone.broker.embedded.BrokerMeter;
import dev.turnstone.broker.report.AddressReport;
import dev.turnstone.broker.report.BrokerReport;
import dev.turnstone.broker.report.FlowReport;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;

/** The numbers of one broker, in the form that Prometheus reads. Any thread. */
public final class Metrics implements BrokerMeter {
    private static final String PREFIX = "turnstone.";
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final BrokerReport NOTHING =
            new BrokerReport(0, 0, 0, 0, 0, 0, new FlowReport(0, 0, 0, 0), List.of());

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicReference<BrokerReport> latest = new AtomicReference<>(NOTHING);
    private final Timer turn = timer("engine.turn", "How long turns of the engine take");
    private final Timer confirm =
            timer("confirm", "From the turn that takes what must survive until what waits for it is let out");
    private final Timer fsync = timer("fsync", "How long the disk takes to sync");
    private final MultiGauge depths = gauges("address.depth", "Messages that are there");
    private final MultiGauge ages = gauges("address.oldest.seconds", "How long the first message has been there");
    private final MultiGauge enqueued = gauges("address.enqueued", "Messages that came in");
    private final MultiGauge delivered = gauges("address.delivered", "Messages that went to consumers");
    private final MultiGauge redelivered = gauges("address.redelivered", "Messages that went to consumers again");
    private final MultiGauge settled = gauges("address.settled", "Messages that left for good");

    /** All zero. */
    public Metrics() {
        gauge("memory.bytes", "What messages take in memory", BrokerReport::memoryBytes);
        gauge("memory.max.bytes", "What they may take before producers are paused", BrokerReport::memoryMaxBytes);
        gauge("connections", "Connections that are open", BrokerReport::connections);
        gauge("addresses", "Queues, topics and subscriptions that exist", BrokerReport::addresses);
        counter("stalls", "How often a session had to wait before it could send more", BrokerReport::stalls);
        counter("identities.evicted", "Identities forgotten before their time", BrokerReport::identitiesEvicted);
        counter(
                "enqueued",
                "Messages that came into queues",
                report -> report.flow().enqueued());
        counter(
                "delivered",
                "Messages that went to consumers",
                report -> report.flow().delivered());
        counter(
                "redelivered",
                "Messages that went to consumers again",
                report -> report.flow().redelivered());
        counter(
                "settled",
                "Messages that left queues for good",
                report -> report.flow().settled());
    }

    private Timer timer(String name, String description) {
        return Timer.builder(PREFIX + name)
                .description(description)
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofNanos(1_000))
                .maximumExpectedValue(LONGEST)
                .register(registry);
    }

    private MultiGauge gauges(String name, String description) {
        return MultiGauge.builder(PREFIX + name).description(description).register(registry);
    }

    private void gauge(String name, String description, ToDoubleFunction<BrokerReport> value) {
        Gauge.builder(PREFIX + name, latest, report -> value.applyAsDouble(report.get()))
                .description(description)
                .register(registry);
    }

    private void counter(String name, String description, ToDoubleFunction<BrokerReport> value) {
        FunctionCounter.builder(PREFIX + name, latest, report -> value.applyAsDouble(report.get()))
                .description(description)
                .register(registry);
    }

    @Override
    public void turn(long nanos) {
        turn.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void confirmed(long nanos) {
        confirm.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void synced(long nanos) {
        fsync.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** The text for Prometheus, with what this report says. */
    public synchronized String text(BrokerReport report, long nowMs) {
        latest.set(report);
        rows(depths, report, AddressReport::depth);
        rows(ages, report, one -> one.oldestMs() == 0 ? 0 : Math.max(0, nowMs - one.oldestMs()) / 1_000.0);
        rows(enqueued, report, one -> one.flow().enqueued());
        rows(delivered, report, one -> one.flow().delivered());
        rows(redelivered, report, one -> one.flow().redelivered());
        rows(settled, report, one -> one.flow().settled());
        return registry.scrape();
    }

    private static void rows(MultiGauge gauges, BrokerReport report, ToDoubleFunction<AddressReport> value) {
        gauges.register(
                report.details().stream()
                        .<MultiGauge.Row<?>>map(one -> MultiGauge.Row.of(tags(one), value.applyAsDouble(one)))
                        .toList(),
                true);
    }

    private static Tags tags(AddressReport report) {
        return Tags.of(
                "kind",
                report.address().kind().name().toLowerCase(Locale.ROOT),
                "address",
                report.address().name());
    }
}
