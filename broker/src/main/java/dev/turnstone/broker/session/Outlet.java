package dev.turnstone.broker.session;

import dev.turnstone.broker.mailbox.Channel;
import dev.turnstone.port.Address;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.CommitOutcome;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.PrepareVote;
import dev.turnstone.port.StatePage;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a session will hear: confirmations, refusals and deliveries in one order, each held back until its cause is
 * durable. Owned by the engine thread.
 */
final class Outlet {
    private final SessionContext context;
    private final Channel channel;
    /** What waits; null while nothing does, which is mostly so. */
    private @Nullable Outgoing outgoing;

    /** The highest LSN that a command of this session has caused. */
    private long causeLsn;
    /** The highest LSN of a command that need only be written. */
    private long relaxedLsn;

    Outlet(SessionContext context, Channel channel) {
        this.context = context;
        this.channel = channel;
    }

    /** No later outcome, good or bad, leaves before this is durable. */
    void hold(long lsn) {
        causeLsn = Math.max(causeLsn, lsn);
    }

    /** A command is done, once this LSN and all that the session caused before are durable. */
    void confirm(Completion completion, long lsn) {
        hold(lsn);
        if (completion.wantsDone()) {
            add(completion, causeLsn);
        }
    }

    /** A command is done, once this LSN is written and all that the session caused before is what it asked for. */
    void confirmRelaxed(Completion completion, long lsn) {
        relaxedLsn = Math.max(relaxedLsn, lsn);
        if (completion.wantsDone()) {
            add(completion, causeLsn);
        }
    }

    /** A command is done, once all that the session caused is durable, whatever it has asked for. */
    void confirmAll(Completion completion) {
        confirm(completion, relaxedLsn);
    }

    /**
     * A command had no effect; that, too, is said in the order of commands, and once that which it is refused for is
     * durable: a crash must not undo what somebody was told.
     */
    void refuse(Completion completion, BrokerException cause) {
        add(
                new Event.Failed(completion, cause),
                Math.max(causeLsn, context.log().latestLsn()));
    }

    /** A listing, once all that it shows is durable. */
    void listed(Command.ListState asked, StatePage page, long lsn) {
        hold(lsn);
        add(new Event.StateListed(asked, page), causeLsn);
    }

    /** What became of a commit, once that is so for good. */
    void outcome(Command.AskOutcome asked, CommitOutcome outcome, long lsn) {
        hold(lsn);
        add(new Event.OutcomeTold(asked, outcome), causeLsn);
    }

    /** How a branch has voted, once that is durable. */
    void voted(BranchCommand.Prepare asked, PrepareVote vote, long lsn) {
        hold(lsn);
        add(new Event.Voted(asked, vote), causeLsn);
    }

    /** Which branches there are, once that is durable. */
    void recovered(BranchCommand.Recover asked, List<BranchId> found, long lsn) {
        hold(lsn);
        add(new Event.Recovered(asked, found), causeLsn);
    }

    /** A chunk of a body is stored. */
    void answer(Completion completion) {
        if (completion.wantsDone()) {
            add(completion, 0);
        }
    }

    /** A chunk of a body. */
    void read(BodyCommand.Read asked, ByteBuffer content) {
        add(new Event.BodyRead(asked, content), 0);
    }

    void deliver(Delivery delivery, long lsn) {
        add(delivery, lsn);
    }

    /** A browser has been shown everything. */
    void browseEnded(int consumer) {
        add(new Event.BrowseEnded(consumer), 0);
    }

    /** There is a queue that a watch asks for. */
    void queueFound(int watch, Address queue) {
        add(new Event.QueueFound(watch, queue), 0);
    }

    /** A consumer has ended by the broker's will. */
    void closed(int consumer, BrokerException cause) {
        add(new Event.ConsumerClosed(consumer, cause), causeLsn);
    }

    private void add(Object event, long lsn) {
        context.log().await(lsn);
        Outgoing waiting = outgoing;
        if (waiting == null) {
            waiting = new Outgoing();
            outgoing = waiting;
            context.fresh(this);
        }
        waiting.add(event, lsn, relaxedLsn);
    }

    /** Hands over what is due; false if something still waits. */
    boolean release(long durableLsn, long writtenLsn) {
        Outgoing waiting = outgoing;
        if (waiting != null && waiting.release(durableLsn, writtenLsn, channel)) {
            channel.signal();
        }
        if (waiting != null && waiting.isEmpty()) {
            outgoing = null;
        }
        return outgoing == null;
    }
}
