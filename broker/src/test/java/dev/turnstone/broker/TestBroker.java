package dev.turnstone.broker;

import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.report.BrokerReport;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Login;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An engine on a {@link MemoryJournal}, driven by the test. One thread. */
final class TestBroker {
    Map<Long, MemoryJournal.Stored> disk = new LinkedHashMap<>();
    Map<Long, byte[]> pageDisk = new LinkedHashMap<>();
    MemoryJournal journal;
    MemoryPages pages;
    Engine engine;
    long nowMs = 1_000_000;
    int wakes;
    /** How many turns there were after which there was more to do. */
    int turns;

    private Limits limits;
    private final Security security;
    private AddressRules addresses;

    private Bindings bindings = Bindings.NONE;

    TestBroker() {
        this(Limits.DEFAULTS);
    }

    void bind(Bindings other) {
        bindings = other;
        engine.bind(other);
        settle();
    }

    TestBroker(Limits limits) {
        this(limits, Security.OPEN);
    }

    TestBroker(AddressRules addresses) {
        this(Limits.DEFAULTS, Security.OPEN, addresses);
    }

    TestBroker(Limits limits, Security security) {
        this(limits, security, AddressRules.DEFAULTS);
    }

    TestBroker(Limits limits, Security security, AddressRules addresses) {
        this.limits = limits;
        this.security = security;
        this.addresses = addresses;
        start();
        settle();
    }

    private void start() {
        engine = Engine.start(
                new EngineParts(
                        limits, () -> nowMs, Runnable::run, () -> wakes++, security, () -> 0.5, addresses, bindings),
                listener -> {
                    journal = new MemoryJournal(disk, listener);
                    return journal;
                },
                listener -> {
                    pages = new MemoryPages(pageDisk, listener);
                    return pages;
                });
    }

    /** Turns until there is nothing to do; the disk does not follow. */
    void run() {
        while (engine.drain()) {
            turns++;
        }
    }

    /** Turns and syncs until there is nothing to do. */
    void settle() {
        run();
        while (journal.undurable() > 0 || pages.pending() > 0) {
            if (pages.pending() > 0) {
                pages.step();
            }
            journal.sync();
            run();
        }
    }

    void configure(AddressRules other) {
        addresses = other;
        engine.configure(other);
        settle();
    }

    BrokerReport report() {
        AtomicReference<BrokerReport> report = new AtomicReference<>();
        engine.report(100, report::set);
        settle();
        return report.get();
    }

    /** A new life on what was durable. */
    void crash() {
        crashBeforeTheFirstTurn(limits);
        settle();
    }

    void crashBeforeTheFirstTurn(Limits others) {
        limits = others;
        disk = new LinkedHashMap<>(disk);
        start();
    }

    /** The same with other limits, as after a start with a smaller heap. */
    void crash(Limits others) {
        limits = others;
        crash();
    }

    void stop() {
        engine.requestStop();
        run();
    }

    Connection connect(@Nullable String clientId) {
        var stage = engine.broker()
                .connect(new Login(null, null, clientId, "test", "test"), cause -> {})
                .toCompletableFuture();
        run();
        return stage.join();
    }

    TestSession session() {
        return new TestSession(this, connect(null));
    }

    TestSession session(Connection connection) {
        return new TestSession(this, connection);
    }
}
