package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.Branches;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.PrepareVote;
import dev.turnstone.port.Session;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.transaction.xa.XAResource;
import org.apache.activemq.command.DataArrayResponse;
import org.apache.activemq.command.IntegerResponse;
import org.apache.activemq.command.Response;
import org.apache.activemq.command.TransactionInfo;
import org.apache.activemq.command.XATransactionId;
import org.jspecify.annotations.Nullable;

/** The commands of XA. On the event loop only. */
final class Branching {
    private final Session session;
    private final Branches branches;
    private final Client client;
    private final Settling settling;
    private final Answers answers;
    private final LongSupplier numbers;
    /** In the order in which they began. */
    private final Map<XATransactionId, Part> parts = new LinkedHashMap<>();

    Branching(Session session, Client client, Settling settling, Answers answers, LongSupplier numbers) {
        this.session = session;
        this.client = client;
        this.settling = settling;
        this.answers = answers;
        this.numbers = numbers;
        branches = session.branches();
    }

    /** What this connection does for a branch. */
    private static final class Part {
        /** The work that goes on, or null. */
        private @Nullable Work work;
        /** The acknowledgements that the branch has, and whose messages the client keeps until its outcome. */
        private final List<Work.Acknowledged> taken = new ArrayList<>();

        private int sessions;
        /** It had nothing to commit when it was prepared. */
        private boolean empty;
        /** The client comes back and repeats all that it has done for a branch that is prepared. */
        private boolean repeated;
    }

    /** The work that goes on for a branch, or null. */
    @Nullable
    Work work(XATransactionId id) {
        Part part = parts.get(id);
        return part == null ? null : part.work;
    }

    void accept(XATransactionId id, TransactionInfo info) {
        try {
            BranchId branch = branch(id);
            switch (info.getType()) {
                case TransactionInfo.BEGIN -> begin(id, branch, info);
                case TransactionInfo.END -> end(id, branch, info);
                case TransactionInfo.PREPARE -> prepare(id, branch, info);
                case TransactionInfo.COMMIT_ONE_PHASE -> commit(id, branch, info, true);
                case TransactionInfo.COMMIT_TWO_PHASE -> commit(id, branch, info, false);
                case TransactionInfo.ROLLBACK -> rollback(id, branch, info);
                case TransactionInfo.FORGET -> branches.forget(branch, answers.to(info, Errors::ofBranch));
                default ->
                    throw new BrokerException(
                            ErrorCode.UNSUPPORTED, "a transaction's command of the type " + info.getType());
            }
        } catch (BrokerException e) {
            answers.refused(info, Errors.ofBranch(e));
        }
    }

    private static BranchId branch(XATransactionId id) {
        byte[] global = id.getGlobalTransactionId();
        byte[] qualifier = id.getBranchQualifier();
        if (global == null
                || qualifier == null
                || global.length > BranchId.PART_MAX
                || qualifier.length > BranchId.PART_MAX) {
            throw new BrokerException(
                    ErrorCode.INVALID_MESSAGE, "a branch's identifier has two parts of at most 64 bytes");
        }
        return new BranchId(id.getFormatId(), global, qualifier);
    }

    /**
     * OpenWire does not say whether the branch is new, is to be joined, or goes on: it is joined, or else begun. Of two
     * sessions of the connection the second goes on with the work of the first.
     */
    private void begin(XATransactionId id, BranchId branch, TransactionInfo info) {
        Part part = parts.computeIfAbsent(id, unknown -> new Part());
        part.sessions++;
        if (part.work != null) {
            answers.done(info);
            return;
        }
        int most = client.settings().transactionsMax();
        if (parts.size() > most && !forgetOne()) {
            parts.remove(id);
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED, "more than " + most + " open transactions (transactionsMax)");
        }
        Work work = new Work(numbers.getAsLong());
        part.work = work;
        part.empty = false;
        Beginning beginning = new Beginning(part, work, info);
        branches.start(
                new BranchStart(branch, BranchStart.Mode.JOIN, work.number(), 0),
                new Then(() -> beginning.joined = true, cause -> beginning.unjoined = cause));
        branches.start(
                new BranchStart(branch, BranchStart.Mode.NEW, work.number(), 0),
                new Then(() -> answers.done(info), beginning::notBegun));
    }

    /** Forgets the oldest branch whose outcome came over another connection, or may come yet. */
    private boolean forgetOne() {
        for (Map.Entry<XATransactionId, Part> entry : parts.entrySet()) {
            if (entry.getValue().sessions == 0) {
                forget(entry.getKey());
                return true;
            }
        }
        return false;
    }

    /** A branch that is joined or begun; one of the two is refused. */
    private final class Beginning {
        private final Part part;
        private final Work work;
        private final TransactionInfo info;
        private boolean joined;
        private @Nullable BrokerException unjoined;

        Beginning(Part part, Work work, TransactionInfo info) {
            this.part = part;
            this.work = work;
            this.info = info;
        }

        void notBegun(BrokerException cause) {
            if (joined) {
                answers.done(info);
                return;
            }
            BrokerException why = cause.code() == ErrorCode.DUPLICATE_BRANCH && unjoined != null ? unjoined : cause;
            part.repeated = client.sendsAgain() && why.code() == ErrorCode.BRANCH_STATE;
            work.fail(why);
            if (part.repeated) {
                answers.done(info);
                return;
            }
            if (info.isResponseRequired()) {
                // Who does not wait goes on until it ends the work.
                part.work = null;
                part.sessions--;
            }
            answers.refused(info, Errors.ofBranch(why));
        }
    }

    private void end(XATransactionId id, BranchId branch, TransactionInfo info) {
        Part part = parts.get(id);
        Work work = part == null ? null : part.work;
        if (part == null || work == null) {
            throw new BrokerException(ErrorCode.NO_SUCH_BRANCH, "the connection does not work for the branch " + id);
        }
        hand(part, work);
        if (--part.sessions > 0) {
            session.sync(answers.to(info, Errors::ofBranch));
            return;
        }
        part.work = null;
        branches.end(
                branch,
                work.failure() == null ? BranchEnd.SUCCESS : BranchEnd.FAIL,
                new Then(() -> answers.done(info), cause -> notEnded(part, work, info, cause)));
    }

    /** The branch gets what the client has acknowledged for it. */
    private void hand(Part part, Work work) {
        settling.handOver(work);
        part.taken.addAll(work.acknowledged());
        work.acknowledged().clear();
    }

    /**
     * The work has ended, also if the branch can only roll back: a client that is told of that here does not hear of
     * the rollback, and keeps what it has taken as if it were consumed. It is told when it prepares or commits.
     */
    private void notEnded(Part part, Work work, TransactionInfo info, BrokerException cause) {
        boolean ended = cause.code() == ErrorCode.BRANCH_ROLLED_BACK || cause.code() == ErrorCode.TRANSACTION_TIMED_OUT;
        if (ended || part.repeated || work.failure() != null) {
            answers.done(info);
        } else {
            answers.refused(info, Errors.ofBranch(cause));
        }
    }

    private void prepare(XATransactionId id, BranchId branch, TransactionInfo info) {
        PrepareVote[] vote = {PrepareVote.PREPARED};
        branches.prepare(branch, voted -> vote[0] = voted, new Then(() -> voted(id, info, vote[0]), cause -> {
            Part part = parts.get(id);
            if (part != null && part.repeated && cause.code() == ErrorCode.BRANCH_STATE) {
                voted(id, info, PrepareVote.PREPARED);
            } else {
                rolledBack(id, () -> answers.refused(info, Errors.ofBranch(cause)));
            }
        }));
    }

    private void voted(XATransactionId id, TransactionInfo info, PrepareVote vote) {
        boolean over = vote == PrepareVote.READ_ONLY;
        Part part = parts.get(id);
        if (over && client.sendsAgain() && part != null) {
            part.empty = true;
        } else if (over) {
            forget(id);
        }
        answers.done(info, new IntegerResponse(over ? XAResource.XA_RDONLY : XAResource.XA_OK));
    }

    private void forget(XATransactionId id) {
        Part part = parts.remove(id);
        if (part != null) {
            settling.forget(part.taken);
        }
    }

    private void commit(XATransactionId id, BranchId branch, TransactionInfo info, boolean onePhase) {
        branches.commit(
                branch,
                onePhase,
                new Then(
                        () -> {
                            forget(id);
                            answers.done(info);
                        },
                        cause -> notCommitted(id, info, onePhase, cause)));
    }

    private void notCommitted(XATransactionId id, TransactionInfo info, boolean onePhase, BrokerException cause) {
        Part part = parts.get(id);
        if (!onePhase && part != null && part.empty && cause.code() == ErrorCode.NO_SUCH_BRANCH) {
            // The client repeats what it has done: all of it was there, and the branch is committed, answered or not.
            forget(id);
            answers.done(info);
        } else if (onePhase && cause.code() != ErrorCode.BRANCH_STATE) {
            rolledBack(id, () -> answers.refused(info, Errors.ofBranch(cause)));
        } else {
            answers.refused(info, Errors.ofBranch(cause));
        }
    }

    private void rollback(XATransactionId id, BranchId branch, TransactionInfo info) {
        Part part = parts.get(id);
        if (part != null && part.work != null) {
            Work open = part.work;
            part.work = null;
            settling.giveBack(open);
            branches.end(branch, BranchEnd.FAIL, answers.noted());
        }
        branches.rollback(branch, new Then(() -> rolledBack(id, () -> answers.done(info)), cause -> {
            if (part != null && cause.code() == ErrorCode.NO_SUCH_BRANCH) {
                // As over another connection: the client hears of it here.
                rolledBack(id, () -> answers.done(info));
            } else {
                answers.refused(info, Errors.ofBranch(cause));
            }
        }));
    }

    /** The messages are in their queues again, and the client still has them: it delivers them again by itself. */
    private void rolledBack(XATransactionId id, Runnable then) {
        Part part = parts.remove(id);
        if (part == null) {
            then.run();
        } else {
            settling.goOn(part.taken, then);
        }
    }

    void recover(TransactionInfo info) {
        List<XATransactionId> found = new ArrayList<>();
        Consumer<List<BranchId>> listed = all -> all.forEach(branch -> found.add(id(branch)));
        branches.recover(
                listed,
                new Then(
                        () -> answers.done(info, array(found)),
                        cause -> answers.refused(info, Errors.ofBranch(cause))));
    }

    private static Response array(List<XATransactionId> found) {
        DataArrayResponse response = new DataArrayResponse();
        response.setData(found.toArray(XATransactionId[]::new));
        return response;
    }

    private static XATransactionId id(BranchId branch) {
        XATransactionId id = new XATransactionId();
        id.setFormatId(branch.formatId());
        id.setGlobalTransactionId(branch.globalId());
        id.setBranchQualifier(branch.qualifier());
        return id;
    }

    private record Then(Runnable then, Consumer<BrokerException> otherwise) implements Completion {
        @Override
        public void done() {
            then.run();
        }

        @Override
        public void failed(BrokerException cause) {
            otherwise.accept(cause);
        }
    }
}
