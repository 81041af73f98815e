package dev.turnstone.broker.session;

import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.Branches;
import dev.turnstone.port.Completion;
import dev.turnstone.port.PrepareVote;
import java.util.List;
import java.util.function.Consumer;

/** The commands of an {@link EdgeSession} that concern branches. Its owner's thread only. */
final class EdgeBranches implements Branches {
    private final Consumer<Command> session;

    EdgeBranches(Consumer<Command> session) {
        this.session = session;
    }

    @Override
    public void start(BranchStart start, Completion completion) {
        session.accept(new BranchCommand.Start(start, completion));
    }

    @Override
    public void end(BranchId branch, BranchEnd how, Completion completion) {
        session.accept(new BranchCommand.End(branch, how, completion));
    }

    @Override
    public void prepare(BranchId branch, Consumer<PrepareVote> vote, Completion completion) {
        session.accept(new BranchCommand.Prepare(branch, vote, completion));
    }

    @Override
    public void commit(BranchId branch, boolean onePhase, Completion completion) {
        session.accept(new BranchCommand.CommitBranch(branch, onePhase, completion));
    }

    @Override
    public void rollback(BranchId branch, Completion completion) {
        session.accept(new BranchCommand.RollbackBranch(branch, completion));
    }

    @Override
    public void forget(BranchId branch, Completion completion) {
        session.accept(new BranchCommand.Forget(branch, completion));
    }

    @Override
    public void recover(Consumer<List<BranchId>> branches, Completion completion) {
        session.accept(new BranchCommand.Recover(branches, completion));
    }
}
