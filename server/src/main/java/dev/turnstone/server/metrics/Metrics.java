package dev.turnstone.server.metrics;

import dev.turnstone.broker.embedded.BrokerMeter;
import dev.turnstone.broker.report.AddressReport;
import dev.turnstone.broker.report.BrokerReport;
import dev.turnstone.broker.report.FlowReport;
import dev.turnstone.broker.report.RoomReport;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/** The numbers of one broker, in the form that Prometheus reads. Any thread. */
public final class Metrics implements BrokerMeter {
    private static final String PREFIX = "turnstone.";
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final BrokerReport NOTHING =
            new BrokerReport(RoomReport.NONE, 0, 0, 0, 0, 0, FlowReport.NONE, List.of());

    /** Both held here, since the registry holds them weakly. */
    private final LongSupplier refusedLogins;

    private final BooleanSupplier auditFailing;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicReference<BrokerReport> latest = new AtomicReference<>(NOTHING);
    private final AtomicLong refusedConnections = new AtomicLong();
    private final Durations turn = durations("engine_turn", "How long turns of the engine take");
    private final Durations confirm =
            durations("confirm", "From the turn that takes what must survive until what waits for it is let out");
    private final Timer fsync = timer("fsync", "How long the disk takes to sync");
    private final Durations deliver =
            durations("deliver", "From a message's confirmation until a consumer gets it first, of one in 16");
    private final List<ByAddress> byAddress = List.of(
            gauges("address.depth", "Messages that are there", (one, nowMs) -> one.depth()),
            gauges("address.oldest.seconds", "How long the first message has been there", Metrics::oldestSeconds),
            gauges(
                    "address.enqueued",
                    "Messages that came in",
                    (one, nowMs) -> one.flow().enqueued()),
            gauges(
                    "address.delivered",
                    "Messages that went to consumers",
                    (one, nowMs) -> one.flow().delivered()),
            gauges(
                    "address.redelivered",
                    "Messages that went to consumers again",
                    (one, nowMs) -> one.flow().redelivered()),
            gauges(
                    "address.dead.lettered",
                    "Messages that went to dead letters, or would have, had there been an address",
                    (one, nowMs) -> one.flow().deadLettered()),
            gauges(
                    "address.settled",
                    "Messages that left for good",
                    (one, nowMs) -> one.flow().settled()),
            gauges(
                    "address.dropped",
                    "Messages that were lost to its queues",
                    (one, nowMs) -> one.flow().dropped()),
            gauges(
                    "address.credit.stalls",
                    "How often a consumer had no credit left while messages waited",
                    (one, nowMs) -> one.flow().creditStalls()));

    /** What is said of each address. */
    private record ByAddress(MultiGauge gauges, Value value) {}

    private interface Value {
        double of(AddressReport address, long nowMs);
    }

    /**
     * All zero.
     *
     * @param refusedLogins how many logins were refused since the start; asked on any thread
     * @param auditFailing whether the audit log cannot be written; asked on any thread
     */
    public Metrics(LongSupplier refusedLogins, BooleanSupplier auditFailing) {
        this.refusedLogins = refusedLogins;
        this.auditFailing = auditFailing;
        Gauge.builder(PREFIX + "audit.failing", this.auditFailing, failing -> failing.getAsBoolean() ? 1 : 0)
                .description("1 while the audit log cannot be written")
                .register(registry);
        FunctionCounter.builder(PREFIX + "logins.refused", this.refusedLogins, LongSupplier::getAsLong)
                .description("Logins that were refused")
                .register(registry);
        room();
        gauge("addresses", "Queues, topics and subscriptions that exist", BrokerReport::addresses);
        gauge("page.files", "Page files that exist", BrokerReport::pageFiles);
        counter("dedup.hits", "Messages that were there before and were not stored again", BrokerReport::secondCopies);
        counter("stalls", "How often a session had to wait before it could send more", BrokerReport::stalls);
        counter("identities.evicted", "Identities forgotten before their time", BrokerReport::identitiesEvicted);
        flow();
    }

    /** What makes senders wait, or refuses, when it is used up. */
    private void room() {
        room("memory.bytes", "What messages take in memory", RoomReport::memoryBytes);
        room("memory.max.bytes", "What they may take before producers are paused", RoomReport::memoryMaxBytes);
        room("connections", "Connections that are open", RoomReport::connections);
        room("connections.max", "How many may be", RoomReport::connectionsMax);
        room("journal.outstanding.bytes", "What the journal has not yet synced", RoomReport::journalBytes);
        room("disk.full", "1 while the disk has no room for messages", room -> room.diskFull() ? 1 : 0);
        FunctionCounter.builder(PREFIX + "connections.refused", refusedConnections, AtomicLong::get)
                .description("Connections that listeners have turned away before a login")
                .register(registry);
    }

    private void room(String name, String description, ToDoubleFunction<RoomReport> value) {
        gauge(name, description, report -> value.applyAsDouble(report.room()));
    }

    private void flow() {
        counter(
                "credit.stalls",
                "How often a consumer had no credit left while messages waited",
                report -> report.flow().creditStalls());
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
        counter(
                "dead.lettered",
                "Messages that went to dead letters, or would have, had there been an address",
                report -> report.flow().deadLettered());
        counter(
                "expired",
                "Messages whose time was over",
                report -> report.flow().expired());
        counter(
                "dropped",
                "Messages lost to queues by a limit, a newer value, their age or failures, with no address to go to",
                report -> report.flow().dropped());
    }

    /** For what the engine's thread tells with each turn: it alone counts there, so nothing has to be locked. */
    private Durations durations(String name, String description) {
        Durations durations = new Durations("turnstone_" + name + "_seconds", description);
        registry.getPrometheusRegistry().register(durations);
        return durations;
    }

    private Timer timer(String name, String description) {
        return Timer.builder(PREFIX + name)
                .description(description)
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofNanos(1_000))
                .maximumExpectedValue(LONGEST)
                .register(registry);
    }

    private ByAddress gauges(String name, String description, Value value) {
        return new ByAddress(
                MultiGauge.builder(PREFIX + name).description(description).register(registry), value);
    }

    private static double oldestSeconds(AddressReport address, long nowMs) {
        return address.oldestMs() == 0 ? 0 : Math.max(0, nowMs - address.oldestMs()) / 1_000.0;
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
        turn.record(nanos);
    }

    @Override
    public void confirmed(long nanos) {
        confirm.record(nanos);
    }

    @Override
    public void synced(long nanos) {
        fsync.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void delivered(int millis) {
        deliver.record(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** The text for Prometheus, with what this report says, and how many connections listeners have turned away. */
    public synchronized String text(BrokerReport report, long turnedAway, long nowMs) {
        latest.set(report);
        refusedConnections.set(turnedAway);
        byAddress.forEach(one -> one.gauges().register(rows(one.value(), report, nowMs), true));
        return registry.scrape();
    }

    private static List<MultiGauge.Row<?>> rows(Value value, BrokerReport report, long nowMs) {
        return report.details().stream()
                .<MultiGauge.Row<?>>map(one -> MultiGauge.Row.of(tags(one), value.of(one, nowMs)))
                .toList();
    }

    private static Tags tags(AddressReport report) {
        return Tags.of(
                "kind",
                report.address().kind().name().toLowerCase(Locale.ROOT),
                "address",
                report.address().name());
    }
}
