package dev.turnstone.broker.session;

import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.Completion;
import dev.turnstone.port.PrepareVote;
import java.util.List;
import java.util.function.Consumer;

/** A command that concerns a branch of a global transaction. Immutable. */
sealed interface BranchCommand extends Command {
    /** Does it; in the engine. */
    void execute(BranchWork work);

    @Override
    default void execute(SessionWork session) {
        execute(session.units().branches());
    }

    record Start(BranchStart start, Completion completion) implements BranchCommand {
        @Override
        public void execute(BranchWork work) {
            work.start(start, completion);
        }
    }

    record End(BranchId branch, BranchEnd how, Completion completion) implements BranchCommand {
        @Override
        public void execute(BranchWork work) {
            work.end(branch, how, completion);
        }
    }

    record Prepare(BranchId branch, Consumer<PrepareVote> vote, Completion completion) implements BranchCommand {
        @Override
        public void execute(BranchWork work) {
            work.prepare(this);
        }
    }

    record CommitBranch(BranchId branch, boolean onePhase, Completion completion) implements BranchCommand {
        @Override
        public void execute(BranchWork work) {
            work.commit(branch, onePhase, completion);
        }
    }

    record RollbackBranch(BranchId branch, Completion completion) implements BranchCommand {
        @Override
        public void execute(BranchWork work) {
            work.rollback(branch, completion);
        }
    }

    record Forget(BranchId branch, Completion completion) implements BranchCommand {
        @Override
        public void execute(BranchWork work) {
            work.forget(branch, completion);
        }
    }

    record Recover(Consumer<List<BranchId>> branches, Completion completion) implements BranchCommand {
        @Override
        public void execute(BranchWork work) {
            work.recover(this);
        }
    }
}
