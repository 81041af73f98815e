package dev.turnstone.broker;

import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.dedup.Duplicates;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.mailbox.Mail;
import dev.turnstone.broker.mailbox.Mailbox;
import dev.turnstone.broker.queue.Agenda;
import dev.turnstone.broker.queue.QueueContext;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.report.BrokerReport;
import dev.turnstone.broker.report.RoomReport;
import dev.turnstone.broker.route.Addresses;
import dev.turnstone.broker.route.Recovery;
import dev.turnstone.broker.security.Guard;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.session.Connections;
import dev.turnstone.broker.session.EdgeBroker;
import dev.turnstone.broker.session.SessionContext;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.state.ProtocolState;
import dev.turnstone.broker.store.DedupRecord;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.Pages;
import dev.turnstone.broker.store.ProducerRecord;
import dev.turnstone.broker.store.StateRecord;
import dev.turnstone.broker.store.Survivors;
import dev.turnstone.broker.tx.BranchRecovery;
import dev.turnstone.broker.tx.Effects;
import dev.turnstone.broker.tx.Units;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import dev.turnstone.port.Address;
import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The engine: owns all addresses, queues and transactions on one journal. Passive: whoever drives it calls
 * {@link #drain} from one thread at a time, again while that returns true, and then not before the wake hook was
 * called.
 */
public final class Engine {
    /** The most that a message's record has beside the message, and a dead letter beside the message that it was. */
    private static final int ENVELOPE_BYTES = 20 << 10;

    private final EngineParts parts;
    private final Mailbox mailbox;
    private final Storage storage;
    private final Log log;
    private final QueueContext queues;
    private final Addresses addresses;
    private final SessionContext sessions;
    private final Connections connections;
    private final Broker broker;
    private boolean stopping;
    private boolean failed;
    private @Nullable BrokerException stopped;

    private Engine(EngineParts parts, Mailbox mailbox, Storage storage) {
        Limits limits = parts.limits();
        Journal journal = storage.journal();
        checkFits(limits, journal);
        this.parts = parts;
        this.mailbox = mailbox;
        this.storage = storage;
        Survivors survivors = Survivors.read(journal, limits);
        this.log = survivors.log(journal);
        Memory memory = new Memory(limits.of(Limit.MEMORY_MAX));
        MessageStore store = new MessageStore(log, memory);
        Pages pages = new Pages(storage.pages(), store, limits.intOf(Limit.SETTLE_FOLD));
        this.queues = new QueueContext(store, new Agenda(), limits, pages, parts.random());
        storage.reports().tell(queues.pager(), store.bodies());
        this.addresses = new Addresses(store, queues, limits, parts.addresses());
        long nowMs = parts.clockMs().getAsLong();
        queues.turn(nowMs);
        addresses.bind(parts.bindings());
        BranchRecovery branches = new BranchRecovery(survivors, limits, addresses);
        new Recovery(survivors, addresses, store, pages, queues.pager().recovery(), nowMs)
                .run(branches::holder, this::hearPages);
        ProtocolState state = new ProtocolState(log, memory, limits);
        state.recover(survivors.all(StateRecord.class));
        Duplicates duplicates = new Duplicates(log, memory, limits);
        duplicates.recover(survivors.all(DedupRecord.class), survivors.all(ProducerRecord.class), nowMs);
        Units units = new Units(new Effects(addresses, state, duplicates), limits);
        branches.run(units.branches(), store.bodies());
        this.sessions = new SessionContext(mailbox, units, limits);
        // Numbers of earlier lives are never used again, so a connection's name is unique over restarts.
        String prefix = "c" + Long.toString(log.nextId(), Character.MAX_RADIX) + "-";
        this.connections =
                new Connections(prefix, sessions, new Guard(parts.security(), limits.intOf(Limit.DECISIONS_MAX)));
        this.broker = new EdgeBroker(connections, mailbox, parts.notifier());
        log.append();
    }

    /** Before there are sessions: all that the page files were asked for is done, and comes as mail. */
    private void hearPages() {
        storage.pages().await();
        for (Mail mail = mailbox.poll(); mail != null; mail = mailbox.poll()) {
            mail.open();
        }
        JournalException failure = mailbox.failure();
        if (failure != null) {
            throw failure;
        }
    }

    private static void checkFits(Limits limits, Journal journal) {
        long largest = limits.of(Limit.MESSAGE_BYTES_MAX) + limits.of(Limit.MESSAGE_HEADER_BYTES_MAX) + ENVELOPE_BYTES;
        if (largest > journal.recordMaxBytes()) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION,
                    Limit.MESSAGE_BYTES_MAX.setting() + " and " + Limit.MESSAGE_HEADER_BYTES_MAX.setting()
                            + " allow messages of " + largest + " bytes, more than one record of the journal may have: "
                            + journal.recordMaxBytes());
        }
    }

    /**
     * Opens and loads a journal and its pages and makes an engine on them, ready for its first turn.
     *
     * @param openJournal opens the journal; what it is given hears of durability and failure
     * @param openPages opens the page files, after the journal; what it is given hears of them
     * @throws JournalException if one cannot be opened or loaded, or a page is missing; they are then closed
     * @throws BrokerException DATA_UNUSABLE if the records are not what this version writes, INVALID_CONFIGURATION if
     *     messages may be larger than its records; journal and pages are then closed
     */
    public static Engine start(
            EngineParts parts,
            Function<JournalListener, Journal> openJournal,
            Function<PageListener, PageStore> openPages) {
        Mailbox mailbox = new Mailbox(parts.limits().of(Limit.MAILBOX_BYTES_MAX), parts.wake());
        Storage storage = Storage.open(mailbox, openJournal, openPages);
        try {
            return new Engine(parts, mailbox, storage);
        } catch (RuntimeException | Error e) {
            throw new Closing(e).then(storage::close).fault();
        }
    }

    /** The broker for its edges. Any thread. */
    public Broker broker() {
        return broker;
    }

    /**
     * Runs one bounded turn: takes posted commands, hands out what is ready, gives the turn's records to the journal,
     * and releases what has become durable.
     *
     * @return true if there is more to do at once; false if the wake hook will be called when there is
     */
    public boolean drain() {
        if (stopped != null) {
            return false;
        }
        JournalException failure = mailbox.failure();
        if (failure != null) {
            fail(journalFailed(failure));
            return false;
        }
        try {
            return turn();
        } catch (JournalException e) {
            fail(journalFailed(e));
            return false;
        }
    }

    private static BrokerException journalFailed(JournalException cause) {
        return new BrokerException(ErrorCode.STOPPED, "the broker stopped: its journal failed", cause);
    }

    private boolean turn() {
        long durable = mailbox.durableLsn();
        long written = mailbox.writtenLsn();
        long nowMs = parts.clockMs().getAsLong();
        queues.turn(nowMs);
        connections.expire(nowMs);
        boolean expiring = sessions.turn(nowMs);
        int left = takeMail(parts.limits().intOf(Limit.TURN_COMMANDS));
        addresses.turn(nowMs);
        boolean more = dispatch(nowMs);
        addresses.store().bodies().endTurn();
        log.append();
        sessions.release(durable, written);
        queues.traffic().confirmed(durable, nowMs);
        queues.pager().deleteFiles(durable);
        addresses.store().bodies().deleteFiles(durable, nowMs);
        mailbox.signalRefused();
        if (stopping) {
            finish();
            return false;
        }
        return left <= 0 || more || expiring || sessions.canResume() || !mailbox.sleep(durable, written);
    }

    private int takeMail(int commands) {
        int left = commands - sessions.resume();
        while (left > 0) {
            Mail mail = mailbox.poll();
            if (mail == null) {
                break;
            }
            left -= Math.max(1, mail.open());
        }
        return left;
    }

    private boolean dispatch(long nowMs) {
        int deliveries = parts.limits().intOf(Limit.TURN_DELIVERIES);
        queues.gates().release(nowMs);
        boolean more = queues.delays().release(nowMs, deliveries);
        more |= queues.expiry().release(nowMs, deliveries);
        Agenda agenda = queues.agenda();
        for (int left = agenda.size(); left > 0; left--) {
            QueueState queue = agenda.next();
            if (queue != null && queue.pump(nowMs, deliveries)) {
                agenda.add(queue);
            }
        }
        more |= queues.pager().turn(nowMs);
        return more || agenda.size() > 0;
    }

    /** False if the wake hook was called since {@link #drain} has returned false. The driving thread only. */
    public boolean asleep() {
        return mailbox.asleep();
    }

    /**
     * When it has something to do that nothing wakes it for, in milliseconds since the epoch; {@link Long#MAX_VALUE}
     * for never. The driving thread only: it calls {@link #drain} then.
     */
    public long dueMs() {
        long due = Math.min(addresses.store().bodies().dueMs(), sessions.dueMs());
        return Math.min(Math.min(addresses.dueMs(), due), Math.min(connections.dueMs(), queues.dueMs()));
    }

    /**
     * Replaces who may connect and do what, in its next turn: connections that are no longer vouched for end, consumers
     * that are no longer allowed do too. Any thread.
     */
    public void secure(Security security) {
        mailbox.post(() -> {
            connections.secure(security);
            return 1;
        });
    }

    /** Replaces the settings of queues and topics, in its next turn; what exists follows. Any thread. */
    public void configure(AddressRules rules) {
        mailbox.post(() -> {
            addresses.configure(rules);
            return 1;
        });
    }

    /** From its next turn on messages go by other bindings. Any thread. */
    public void bind(Bindings bindings) {
        mailbox.post(() -> {
            addresses.bind(bindings);
            return 1;
        });
    }

    /** Asks it to stop in order, in its next turn. Any thread. */
    public void requestStop() {
        mailbox.post(() -> {
            stopping = true;
            return 1;
        });
    }

    /** True if it has stopped otherwise than asked to. The driving thread only. */
    public boolean failed() {
        return failed;
    }

    /** What messages take in memory, in bytes, without the queues that they are in. The driving thread only. */
    public long memoryUsed() {
        return sessions.memoryUsed();
    }

    /**
     * Asks for a report, which is made in its next turn. Any thread.
     *
     * @param addressesMax of how many addresses it has details
     * @param hearer is given it, on the thread that completes stages
     * @return false if the engine has stopped: then nobody is told
     */
    public boolean report(int addressesMax, Consumer<BrokerReport> hearer) {
        return report(addressesMax, address -> true, hearer);
    }

    /** The same with details of those addresses alone that the user of a connection may manage. Any thread. */
    public boolean report(int addressesMax, String connection, Consumer<BrokerReport> hearer) {
        return report(addressesMax, address -> connections.manages(connection, address), hearer);
    }

    private boolean report(int addressesMax, Predicate<Address> shown, Consumer<BrokerReport> hearer) {
        return mailbox.post(() -> {
            BrokerReport report = new BrokerReport(
                    room(),
                    addresses.size(),
                    mailbox.stalls(),
                    sessions.secondCopies(),
                    queues.pager().pageFiles(),
                    sessions.identitiesEvicted(),
                    queues.traffic().report(),
                    addresses.report(addressesMax, shown));
            parts.notifier().execute(() -> hearer.accept(report));
            return 1;
        });
    }

    private RoomReport room() {
        return new RoomReport(
                addresses.store().memory().used(),
                parts.limits().of(Limit.MEMORY_MAX),
                connections.size(),
                parts.limits().intOf(Limit.CONNECTIONS_MAX),
                storage.journal().outstandingBytes(),
                !log.hasRoom());
    }

    /** Tells, of one message in 16, how long after its confirmation it went to a consumer. Before the first turn. */
    public void meter(IntConsumer waits) {
        queues.traffic().meter(waits);
    }

    /** The number of the last batch that was given to the journal. The driving thread only. */
    public long appendedLsn() {
        return log.appendedLsn();
    }

    /** Up to which number what waited has been let out. The driving thread only. */
    public long releasedLsn() {
        return sessions.releasedLsn();
    }

    /** How many identities of messages were forgotten before their time. The driving thread only. */
    public long identitiesEvicted() {
        return sessions.identitiesEvicted();
    }

    /** Closes the journal and the pages of an engine that has stopped; idempotent. */
    public void closeStorage() {
        storage.close();
    }

    /** Why it has stopped, or null while it runs. The driving thread only. */
    public @Nullable BrokerException stopped() {
        return stopped;
    }

    /** Stops at once without another record, as when the journal has failed. The driving thread only. */
    public void fail(BrokerException cause) {
        if (stopped == null) {
            stopped = cause;
            failed = true;
            mailbox.close();
            connections.tellAll(cause);
        }
    }

    private void finish() {
        BrokerException cause = new BrokerException(ErrorCode.STOPPED, "the broker was stopped");
        mailbox.close();
        // What was posted before the end is done, or nobody would hear of it.
        for (Mail mail = mailbox.poll(); mail != null; mail = mailbox.poll()) {
            mail.open();
        }
        connections.closeAll();
        addresses.turn(parts.clockMs().getAsLong());
        addresses.markExactly();
        log.append();
        addresses.store().bodies().deleteRest(mailbox.durableLsn());
        storage.close();
        long durable = storage.journal().durableLsn();
        sessions.release(durable, durable);
        stopped = cause;
        connections.tellAll(cause);
    }
}
