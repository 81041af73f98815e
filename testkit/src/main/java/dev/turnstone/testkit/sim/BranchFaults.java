package dev.turnstone.testkit.sim;

import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.Branches;
import dev.turnstone.port.Completion;
import dev.turnstone.port.PrepareVote;
import dev.turnstone.port.Session;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Brokers that do not keep what they have promised to branches of global transactions. */
public final class BranchFaults {
    private static final byte SENDS = 14;
    private static final byte SETTLES = 15;
    private static final byte STATE = 16;

    private BranchFaults() {}

    /** Forgets what prepared branches will send. */
    public static Tampering lostSends() {
        return JournalFaults.lostRecordsOf(SENDS);
    }

    /** Forgets what prepared branches have settled. */
    public static Tampering lostSettles() {
        return JournalFaults.lostRecordsOf(SETTLES);
    }

    /** Forgets what prepared branches will change. */
    public static Tampering lostState() {
        return JournalFaults.lostRecordsOf(STATE);
    }

    /** Rolls back what is prepared and is to be committed. */
    public static Tampering rolledBackInPlace() {
        return branches(real -> new Passing(real) {
            @Override
            public void commit(BranchId branch, boolean onePhase, Completion completion) {
                if (onePhase) {
                    super.commit(branch, true, completion);
                } else {
                    super.rollback(branch, completion);
                }
            }
        });
    }

    /** Takes work that has failed for work that has ended. */
    public static Tampering failureIgnored() {
        return branches(real -> new Passing(real) {
            @Override
            public void end(BranchId branch, BranchEnd how, Completion completion) {
                super.end(branch, how == BranchEnd.FAIL ? BranchEnd.SUCCESS : how, completion);
            }
        });
    }

    private static Tampering branches(UnaryOperator<Branches> change) {
        return new Tampering() {
            @Override
            public Session session(Session session) {
                return new WrappedSession(session) {
                    @Override
                    public Branches branches() {
                        return change.apply(super.branches());
                    }
                };
            }
        };
    }

    /** Passes everything on. */
    private abstract static class Passing implements Branches {
        private final Branches real;

        Passing(Branches real) {
            this.real = real;
        }

        @Override
        public void start(BranchStart start, Completion completion) {
            real.start(start, completion);
        }

        @Override
        public void end(BranchId branch, BranchEnd how, Completion completion) {
            real.end(branch, how, completion);
        }

        @Override
        public void prepare(BranchId branch, Consumer<PrepareVote> vote, Completion completion) {
            real.prepare(branch, vote, completion);
        }

        @Override
        public void commit(BranchId branch, boolean onePhase, Completion completion) {
            real.commit(branch, onePhase, completion);
        }

        @Override
        public void rollback(BranchId branch, Completion completion) {
            real.rollback(branch, completion);
        }

        @Override
        public void forget(BranchId branch, Completion completion) {
            real.forget(branch, completion);
        }

        @Override
        public void recover(Consumer<List<BranchId>> branches, Completion completion) {
            real.recover(branches, completion);
        }
    }
}
