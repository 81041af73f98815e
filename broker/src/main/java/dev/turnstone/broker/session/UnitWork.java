package dev.turnstone.broker.session;

import dev.turnstone.broker.dedup.Duplicates;
import dev.turnstone.broker.dedup.Fingerprint;
import dev.turnstone.broker.dedup.SentId;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.route.Admission;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.security.Access;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.tx.BranchTable;
import dev.turnstone.broker.tx.Effects;
import dev.turnstone.broker.tx.Transaction;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.CommitOutcome;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.StateChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a session sends and changes, alone or in transactions. A command either does everything and confirms, or throws
 * and has done nothing. Owned by the engine thread.
 */
final class UnitWork {
    private final Origin origin;
    /** True while sends are done in a unit that is open. */
    private boolean sending;
    /** True while all of them need only be written soon. */
    private boolean relaxed;

    private final Access access;
    private final SessionContext context;
    private final Effects effects;
    private final Log log;
    private final Outlet outlet;
    private final Transactions transactions;
    private final BranchWork branches;
    private final BodyWork bodies;
    private final SendCheck sends;

    UnitWork(Origin origin, Access access, SessionContext context, Outlet outlet) {
        this.origin = origin;
        this.access = access;
        this.context = context;
        this.effects = context.units().effects();
        this.log = context.log();
        this.outlet = outlet;
        this.bodies = new BodyWork(context, outlet);
        this.transactions = new Transactions(context.limits(), context.units());
        this.sends = new SendCheck(access, context.addresses());
        this.branches = new BranchWork(origin, access, context, outlet, transactions, sends);
    }

    /** What it does for branches of global transactions. */
    BranchWork branches() {
        return branches;
    }

    /** The bodies that it makes and reads apart from messages. */
    BodyWork bodies() {
        return bodies;
    }

    /**
     * True if a command must wait: for the outcome of a prepared branch that will send the same message, or for chunks.
     */
    boolean mustWait(Command command) {
        if (bodies.mustWait(command)) {
            return true;
        }
        boolean commits = command instanceof Command.Commit;
        Transaction open =
                transactions.find(command instanceof Command.Commit commit ? commit.number() : command.transaction());
        if (open != null && open.mustWait(commits)) {
            return true;
        }
        if (command instanceof BranchCommand ofBranch && branches.mustWait(ofBranch)) {
            return true;
        }
        BranchTable table = context.units().branches();
        if (!table.anyPrepared()) {
            return false;
        }
        if (command instanceof Command.SendMessage send) {
            SentId id = send.id();
            return id != null && send.send().transaction() == Session.NO_TRANSACTION && table.holds(id.of());
        }
        return commits && open != null && table.sharesIds(open);
    }

    /** A full queue that a command has to wait for; null if there is none. */
    @Nullable
    QueueState mustWaitFor(Command command) {
        Admission admission = context.addresses().admission();
        if (!admission.limits()) {
            return null;
        }
        if (command instanceof Command.SendMessage send) {
            return send.send().transaction() == Session.NO_TRANSACTION && !isCopy(send.id())
                    ? admission.mustWaitFor(send.send().message(), origin)
                    : null;
        }
        if (command instanceof BranchCommand ofBranch) {
            return branches.mustWaitFor(ofBranch);
        }
        Transaction open = command instanceof Command.Commit commit ? transactions.find(commit.number()) : null;
        return open == null ? null : open.mustWaitFor(admission, effects.duplicates());
    }

    boolean anyOpen() {
        return transactions.anyOpen();
    }

    /** The open transaction of that number; refused if there is none. */
    Transaction transaction(long number) {
        return transactions.get(number);
    }

    /** A command of a transaction was refused. */
    void refused(long number, BrokerException cause) {
        Transaction open = transactions.find(number);
        if (open != null) {
            open.refused(cause);
        }
    }

    void send(Send send, @Nullable SentId id, Completion completion) {
        Message message = bodies.message(send);
        context.sizes().check(message);
        sends.check(message, origin);
        context.checkMemory();
        if (message.persistent()) {
            context.disk().check();
        }
        Transaction open = transactions.find(send.transaction());
        boolean copy = isCopy(open == null ? id : open.counting(id));
        if (!copy) {
            context.addresses().check(message);
            context.addresses().checkRoute(message, origin);
        }
        effects.state().check(send.state());
        if (send.transaction() == Session.NO_TRANSACTION) {
            sendAlone(message, send, id, completion);
            return;
        }
        open = transactions.get(send.transaction());
        if (copy) {
            open.sendAgain(send.state());
        } else {
            open.checkedAt(sends.revision());
            open.send(message, id, origin, send.state());
        }
        outlet.confirm(completion, 0);
    }

    /** Of what was sent before: it is confirmed without effect, so it needs neither room nor anybody to get it. */
    private boolean isCopy(@Nullable SentId id) {
        return id != null && effects.duplicates().contains(id);
    }

    private void sendAlone(Message message, Send send, @Nullable SentId id, Completion completion) {
        int mark = log.mark();
        long lsn = id == null && send.state().isEmpty()
                ? effects.send(message, null, origin)
                : sendWithMore(message, send.state(), id);
        if (isRelaxed(send) && lsn <= log.lsnSince(mark)) {
            log.relax(mark);
            outlet.confirmRelaxed(completion, lsn);
        } else {
            relaxed = false;
            outlet.confirm(completion, lsn);
        }
    }

    private boolean isRelaxed(Send send) {
        Message message = send.message();
        return message.persistent()
                && send.state().isEmpty()
                && (send.relaxed() || context.addresses().isRelaxed(message.address()));
    }

    /** In one unit with those right before and behind it: what is beside the messages is then recorded once. */
    private long sendWithMore(Message message, List<StateChange> state, @Nullable SentId id) {
        if (!sending) {
            effects.begin();
            sending = true;
            relaxed = true;
        }
        int mark = log.mark();
        long routed = effects.send(message, id, origin);
        effects.state().apply(state);
        if (effects.duplicates().unrecorded()) {
            // That of this message, or of an earlier one which it may be a copy of.
            return log.lsn();
        }
        // A first copy, and what was removed already, must be durable too, whoever sent or removed it.
        return routed == Effects.SECOND_COPY || !state.isEmpty()
                ? log.latestLsn()
                : Math.max(routed, log.lsnSince(mark));
    }

    /** No send that goes with the ones before comes next. */
    void endSends() {
        if (sending) {
            sending = false;
            int mark = log.mark();
            effects.end();
            if (relaxed) {
                // What is beside the messages has no more haste than they have.
                log.relax(mark);
            }
        }
    }

    void changeState(List<StateChange> changes, long number, Completion completion) {
        effects.state().check(changes);
        if (number != Session.NO_TRANSACTION) {
            transactions.get(number).change(changes);
            outlet.confirm(completion, 0);
            return;
        }
        effects.begin();
        effects.state().apply(changes);
        effects.end();
        outlet.confirm(completion, log.latestLsn());
    }

    void listState(Command.ListState asked) {
        outlet.listed(asked, effects.state().list(asked.query()), log.latestLsn());
    }

    void begin(long number, Completion completion) {
        transactions.begin(number);
        outlet.confirm(completion, 0);
    }

    void commit(long number, @Nullable Fingerprint commitId, Completion completion) {
        Transaction open = transactions.own(number);
        transactions.remove(number);
        sends.checkAgain(open);
        BrokerException refusal = open.refusal();
        if (refusal == null && commitId != null) {
            refusal = refusalOf(commitId);
        }
        if (refusal == null) {
            refusal = open.lacksRoom(context.addresses().admission(), effects.duplicates());
        }
        if (refusal == null) {
            refusal = effects.room().refusal(open);
        }
        int mark = log.mark();
        if (refusal != null) {
            open.rollback(true);
            outlet.hold(log.lsnSince(mark));
            throw refusal;
        }
        effects.begin();
        boolean copies = open.commit(effects);
        if (commitId != null) {
            effects.duplicates().add(commitId, true);
        }
        effects.end();
        outlet.confirm(completion, copies ? log.latestLsn() : log.lsnSince(mark));
    }

    private @Nullable BrokerException refusalOf(Fingerprint commitId) {
        Duplicates known = effects.duplicates();
        if (known.contains(commitId.opposite())) {
            return new BrokerException(
                    ErrorCode.COMMIT_FENCED, "somebody has asked for the outcome of this commit: it is rolled back");
        }
        return known.contains(commitId)
                ? new BrokerException(
                        ErrorCode.DUPLICATE_TRANSACTION,
                        "another transaction was committed with this identifier of a commit")
                : null;
    }

    void rollback(long number, Completion completion) {
        Transaction open = transactions.own(number);
        transactions.remove(number);
        int mark = log.mark();
        open.rollback(true);
        outlet.confirm(completion, log.lsnSince(mark));
    }

    void outcome(Command.AskOutcome asked) {
        // Who asks on the connection that committed goes on; a commit that comes later all the same is refused.
        if (!asked.query().connection().equals(origin.connection())) {
            context.fence(asked.query().connection(), access.principal());
        }
        Duplicates known = effects.duplicates();
        Fingerprint id = asked.commitId();
        CommitOutcome outcome = CommitOutcome.ROLLED_BACK;
        if (known.contains(id)) {
            outcome = CommitOutcome.COMMITTED;
        } else if (!known.contains(id.opposite())) {
            if (!known.remembers(asked.query().ageMs())) {
                throw new BrokerException(
                        ErrorCode.OUTCOME_UNKNOWN,
                        "so old a commit's outcome may have been forgotten (dedup.horizonMs)");
            }
            known.add(id.opposite(), true);
            known.record();
        }
        outlet.outcome(asked, outcome, log.latestLsn());
    }

    /** The session ends: undoes what is open without counting an attempt. */
    void end() {
        branches.end();
        transactions.rollbackAll();
        bodies.end();
    }
}
