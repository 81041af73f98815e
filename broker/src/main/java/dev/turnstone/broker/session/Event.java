package dev.turnstone.broker.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.CommitOutcome;
import dev.turnstone.port.Completion;
import dev.turnstone.port.PrepareVote;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.StatePage;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What a session hears, beside the two that go as they are because they are so many: a
 * {@link dev.turnstone.port.Delivery}, and a {@link Completion} that is done. Immutable; made by the engine, told at
 * the edge.
 */
sealed interface Event {
    /** Tells the session's owner. */
    void tell(SessionListener listener);

    record Failed(Completion completion, BrokerException cause) implements Event {
        @Override
        public void tell(SessionListener listener) {
            completion.failed(cause);
        }
    }

    record StateListed(Command.ListState asked, StatePage page) implements Event {
        @Override
        public void tell(SessionListener listener) {
            asked.page().accept(page);
            asked.completion().done();
        }
    }

    record OutcomeTold(Command.AskOutcome asked, CommitOutcome outcome) implements Event {
        @Override
        public void tell(SessionListener listener) {
            asked.answer().accept(outcome);
            asked.completion().done();
        }
    }

    record Voted(BranchCommand.Prepare asked, PrepareVote vote) implements Event {
        @Override
        public void tell(SessionListener listener) {
            asked.vote().accept(vote);
            asked.completion().done();
        }
    }

    record Recovered(BranchCommand.Recover asked, List<BranchId> found) implements Event {
        @Override
        public void tell(SessionListener listener) {
            asked.branches().accept(found);
            asked.completion().done();
        }
    }

    record BodyRead(BodyCommand.Read asked, ByteBuffer content) implements Event {
        @Override
        public void tell(SessionListener listener) {
            asked.reader().accept(content);
            asked.completion().done();
        }
    }

    record BrowseEnded(int consumer) implements Event {
        @Override
        public void tell(SessionListener listener) {
            listener.browseEnded(consumer);
        }
    }

    record QueueFound(int watch, Address queue) implements Event {
        @Override
        public void tell(SessionListener listener) {
            listener.queueFound(watch, queue);
        }
    }

    record ConsumerClosed(int consumer, BrokerException cause) implements Event {
        @Override
        public void tell(SessionListener listener) {
            listener.consumerClosed(consumer, cause);
        }
    }
}
