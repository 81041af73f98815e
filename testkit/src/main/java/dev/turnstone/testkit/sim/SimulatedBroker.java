package dev.turnstone.testkit.sim;

import dev.turnstone.broker.Engine;
import dev.turnstone.broker.EngineParts;
import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.port.Broker;
import dev.turnstone.testkit.journal.SimulatedDisk;
import dev.turnstone.testkit.journal.SimulatedJournal;
import dev.turnstone.testkit.page.SimulatedPageDisk;
import dev.turnstone.testkit.page.SimulatedPages;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The real engine without threads, on a simulated disk and a clock that stands still until it is moved. It runs only
 * when told to, and what it wrote is durable only when told so. Starts again and again on its disk. One thread.
 */
public final class SimulatedBroker {
    private static final long START_MS = 1_000_000_000_000L;
    private static final int TURNS_MAX = 100_000;

    private final SimulatedDisk disk;
    private final SimulatedPageDisk pageDisk = new SimulatedPageDisk();
    private final Limits limits;
    private final JournalLimits journalLimits;
    private final AddressRules addresses;
    private final Bindings bindings;
    private final Tampering tampering;
    private @Nullable Engine engine;
    private @Nullable SimulatedJournal journal;
    private @Nullable SimulatedPages pages;
    private long nowMs = START_MS;
    private boolean awake;
    /** How often the disk became full or had room again: odd while it is full. */
    private int roomChanges;

    /** A broker that is not started, on an empty disk; the seed decides in which order a load hands out records. */
    public SimulatedBroker(
            long seed, Limits limits, JournalLimits journalLimits, AddressRules addresses, Tampering tampering) {
        this(seed, limits, journalLimits, addresses, Bindings.NONE, tampering);
    }

    SimulatedBroker(long seed, Limits limits, JournalLimits journalLimits, Features features, Tampering tampering) {
        this(seed, limits, journalLimits, features.rules(), features.bindings(), tampering);
    }

    private SimulatedBroker(
            long seed,
            Limits limits,
            JournalLimits journalLimits,
            AddressRules addresses,
            Bindings bindings,
            Tampering tampering) {
        this.addresses = tampering.addresses(addresses);
        this.bindings = tampering.bindings(bindings);
        this.disk = new SimulatedDisk(seed);
        this.limits = limits;
        this.journalLimits = journalLimits;
        this.tampering = tampering;
    }

    /** Limits so narrow that a short run meets them: turns of a few commands, small blocks, early folds. */
    static Limits tightLimits(RandomGenerator random) {
        Limits limits = Limits.DEFAULTS
                .with(Limit.TURN_COMMANDS, any(random, 1, 3, 4_096))
                .with(Limit.TURN_DELIVERIES, any(random, 1, 4, 1_024))
                .with(Limit.TURN_SCAN, any(random, 1, 5, 4_096))
                .with(Limit.DISPATCH_BLOCK, any(random, 1, 5, 1_000))
                .with(Limit.SETTLE_FOLD, any(random, 1, 4, 256))
                .with(Limit.SESSION_POSTED_MAX, any(random, 2, 10, 8_192))
                .with(Limit.ADDRESS_MEMORY_MAX, any(random, 1, 2_000, 256L << 20))
                .with(Limit.PAGE_BYTES, any(random, 1, 600, 1 << 20))
                .with(Limit.MEMORY_PAGE_OUT, any(random, 0, 100, 100))
                .with(Limit.TX_SENDS_MAX, any(random, 2, 6, 100_000))
                .with(Limit.MESSAGE_CHUNK_BYTES, 7_000)
                // By default these follow the heap, and a seed must be the same run in every JVM.
                .with(Limit.MEMORY_MAX, 256L << 20)
                .with(Limit.MAILBOX_BYTES_MAX, 64L << 20);
        long mixed = limits.of(Limit.PAGE_BYTES) + limits.of(Limit.TX_SENDS_MAX);
        if (limits.of(Limit.TURN_COMMANDS) > 3) {
            // Here the largest bodies are stored apart, in three chunks; else they go to pages.
            limits = limits.with(Limit.MESSAGE_BYTES_MAX, 10_000);
        }
        return limits.with(Limit.TX_MEMORY, mixed % 3 == 0 ? 1 : mixed % 3 == 1 ? 600 : 1 << 20);
    }

    /** A journal that is sometimes behind after a few records. */
    static JournalLimits tightJournal(RandomGenerator random) {
        JournalLimits usual = JournalLimits.DEFAULTS;
        long outstanding = any(random, 500, 5_000, usual.outstandingBytes());
        return new JournalLimits(outstanding, usual.recordMaxBytes(), usual.fileBytes());
    }

    private static long any(RandomGenerator random, long one, long other, long third) {
        return switch (random.nextInt(3)) {
            case 0 -> one;
            case 1 -> other;
            default -> third;
        };
    }

    /** How far its dispatch mark runs ahead. */
    public int dispatchBlock() {
        return limits.intOf(Limit.DISPATCH_BLOCK);
    }

    /** How many messages one transaction may send. */
    int transactionSendsMax() {
        return limits.intOf(Limit.TX_SENDS_MAX);
    }

    /** Starts it on what its disk holds. */
    public void start() {
        EngineParts parts = new EngineParts(
                limits, () -> nowMs, Runnable::run, () -> awake = true, Security.OPEN, () -> 0.5, addresses, bindings);
        engine = Engine.start(
                parts,
                listener -> {
                    SimulatedJournal opened = disk.open(journalLimits, listener);
                    journal = opened;
                    return tampering.journal(opened, listener);
                },
                listener -> {
                    SimulatedPages opened = pageDisk.open(tampering.pageListener(listener));
                    pages = opened;
                    return tampering.pages(opened, listener);
                });
        awake = true;
    }

    /** The port of the broker that runs. */
    public Broker port() {
        return running().broker();
    }

    /** Its time. */
    public long nowMs() {
        return nowMs;
    }

    /** Lets time pass. */
    public void pass(long ms) {
        nowMs += ms;
        // As the engine's thread does, which sleeps no longer than that.
        awake |= engine != null && engine.dueMs() <= nowMs;
    }

    /** One turn, if it has anything to do; true if it has more to do at once. */
    public boolean turn() {
        if (awake) {
            awake = false;
            // The engine may ask for more by its answer, or later by its wake hook.
            awake |= running().drain();
        }
        return awake;
    }

    /** Runs it until it sleeps; nothing more becomes durable. */
    public void run() {
        for (int turns = 0; turn(); turns++) {
            if (turns == TURNS_MAX) {
                throw new AssertionError("the engine does not come to rest within " + TURNS_MAX + " turns");
            }
        }
    }

    /** How many units a crash may keep or lose. */
    public int pendingUnits() {
        return disk().pendingUnits();
    }

    /**
     * Runs it until it sleeps, and makes durable all that it wrote, until neither goes on. True if anything happened.
     */
    public boolean runAndSync() {
        boolean any = false;
        for (int turns = 0; awake || disk().pendingBatches() > 0 || files().pending() > 0; turns++) {
            if (turns == TURNS_MAX) {
                throw new AssertionError("the engine does not come to rest within " + TURNS_MAX + " turns");
            }
            any = true;
            if (!turn()) {
                disk().sync();
                files().finish();
            }
        }
        return any;
    }

    /** The page files do all that they were asked for; nothing more of the journal becomes durable. */
    public void finishPages() {
        files().finish();
    }

    /** Some of what it wrote becomes durable. */
    public void syncSome(RandomGenerator random) {
        long durable = disk().durableLsn();
        long appended = disk().appendedLsn();
        if (appended > durable) {
            disk().syncUpTo(random.nextLong(durable + 1, appended + 1));
        }
        for (int steps = random.nextInt(4); steps > 0; steps--) {
            files().step(random);
        }
    }

    /** The disk becomes full, or has room again. */
    public void room(boolean now) {
        if (now == (full() != 0)) {
            roomChanges++;
            disk().room(now);
        }
    }

    /** 0 while the disk has room; else a number of its own for each time that it is full. */
    public int full() {
        return roomChanges % 2 == 0 ? 0 : roomChanges;
    }

    /** How often the disk was full. */
    public int fullCount() {
        return (roomChanges + 1) / 2;
    }

    /** A write fails; the engine hears of it. */
    public void failJournal() {
        disk().fail("a simulated failure");
    }

    /** It dies: of what is not durable, a random part from the beginning survives. Half of the time nothing does. */
    public void crash(RandomGenerator random) {
        int units = random.nextBoolean() ? 0 : random.nextInt(pendingUnits() + 1);
        crashKeeping(units, random);
    }

    /** It dies: of what is not durable, so many units from the beginning survive. */
    public void crashKeeping(int units) {
        crashKeeping(units, new SplittableRandom(units));
    }

    private void crashKeeping(int units, RandomGenerator random) {
        files().crash(random);
        disk().crashKeeping(units);
        gone();
    }

    private void gone() {
        roomChanges += roomChanges % 2;
        engine = null;
        journal = null;
        pages = null;
    }

    /** What messages and all else that it knows of them take in memory. */
    long memoryUsed() {
        return running().memoryUsed();
    }

    /** True if that is so much that senders wait, or are refused. */
    boolean memoryFull() {
        return memoryUsed() >= limits.of(Limit.MEMORY_MAX);
    }

    /** How many records of each type are durable. */
    Map<Byte, Long> recordCounts() {
        return disk.recordCounts();
    }

    /** The disk with its page files. */
    public SimulatedPageDisk pages() {
        return pageDisk;
    }

    /** It stops in order. */
    public void stop() {
        running().requestStop();
        for (int turns = 0; running().stopped() == null; turns++) {
            if (turns == TURNS_MAX) {
                throw new AssertionError("the engine does not stop within " + TURNS_MAX + " turns");
            }
            running().drain();
        }
        running().closeStorage();
        gone();
    }

    private Engine running() {
        if (engine == null) {
            throw new IllegalStateException("the broker does not run");
        }
        return engine;
    }

    private SimulatedPages files() {
        if (pages == null) {
            throw new IllegalStateException("the broker does not run");
        }
        return pages;
    }

    private SimulatedJournal disk() {
        if (journal == null) {
            throw new IllegalStateException("the broker does not run");
        }
        return journal;
    }
}
