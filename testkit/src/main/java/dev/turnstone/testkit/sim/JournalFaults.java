package dev.turnstone.testkit.sim;

import dev.turnstone.broker.store.RecordType;
import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalListener;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/** Journals that lie. */
public final class JournalFaults {
    private JournalFaults() {}

    /** Says at once that what was appended is durable. */
    public static Tampering durableTooEarly() {
        return new Tampering() {
            @Override
            public Journal journal(Journal journal, JournalListener listener) {
                return new WrappedJournal(journal) {
                    @Override
                    public long append(Batch batch) {
                        long lsn = super.append(batch);
                        listener.durable(lsn);
                        return lsn;
                    }

                    @Override
                    public long durableLsn() {
                        return Long.MAX_VALUE;
                    }
                };
            }
        };
    }

    /** Never says that the disk is full. */
    public static Tampering alwaysRoom() {
        return new Tampering() {
            @Override
            public Journal journal(Journal journal, JournalListener listener) {
                return new WrappedJournal(journal) {
                    @Override
                    public boolean hasRoom() {
                        return true;
                    }
                };
            }
        };
    }

    /** Forgets every n-th delete: a settle that is not there after a restart. */
    public static Tampering lostDeletes(int every) {
        return leavingOut(step -> step instanceof Batch.Delete, every);
    }

    /** Forgets every n-th record, and deletes of it. */
    public static Tampering lostRecords(int every) {
        return leavingOut(step -> step instanceof Batch.Add, every);
    }

    /** Forgets all records of a type, and deletes of them. */
    static Tampering lostRecordsOf(byte type) {
        return leavingOut(step -> step instanceof Batch.Add add && add.type() == type, 1);
    }

    /** Keeps all records of a type, whatever is deleted. */
    private static Tampering keptRecordsOf(byte type) {
        Set<Long> kept = new HashSet<>();
        return leavingOut(
                step -> {
                    if (step instanceof Batch.Add add && add.type() == type) {
                        kept.add(add.id());
                    }
                    return step instanceof Batch.Delete delete && kept.contains(delete.id());
                },
                1);
    }

    /** Keeps how far messages may have been seen in queues that have ended. */
    public static Tampering keptMarks() {
        return keptRecordsOf(RecordType.MARK.code());
    }

    /** Keeps each record by itself: a crash can tear a unit. */
    public static Tampering tornUnits() {
        return leavingOut(step -> step instanceof Batch.BeginUnit || step instanceof Batch.EndUnit, 1);
    }

    private static Tampering leavingOut(Predicate<Batch.Step> which, int every) {
        return new Tampering() {
            @Override
            public Journal journal(Journal journal, JournalListener listener) {
                return new LeavingOut(journal, which, every);
            }
        };
    }

    /** Leaves out every n-th step of a kind. */
    private static final class LeavingOut extends WrappedJournal {
        private final Predicate<Batch.Step> which;
        private final int every;
        private final Set<Long> missing = new HashSet<>();
        private long seen;

        LeavingOut(Journal journal, Predicate<Batch.Step> which, int every) {
            super(journal);
            this.which = which;
            this.every = every;
        }

        @Override
        public long append(Batch batch) {
            Batch rest = new Batch();
            if (batch.relaxed()) {
                rest.relax();
            }
            for (Batch.Step step : batch.steps()) {
                boolean leftOut = which.test(step) && ++seen % every == 0;
                if (leftOut && step instanceof Batch.Add add) {
                    missing.add(add.id());
                } else if (!leftOut) {
                    copy(step, rest);
                }
            }
            return super.append(rest);
        }

        private void copy(Batch.Step step, Batch rest) {
            if (!(step instanceof Batch.Delete delete) || !missing.remove(delete.id())) {
                JournalFaults.copy(step, rest);
            }
        }
    }

    /** Adds a step to another batch. */
    static void copy(Batch.Step step, Batch rest) {
        if (step instanceof Batch.Add add) {
            rest.add(add.id(), add.type(), add.payload());
        } else if (step instanceof Batch.Delete delete) {
            rest.delete(delete.id());
        } else if (step instanceof Batch.BeginUnit) {
            rest.beginUnit();
        } else {
            rest.endUnit();
        }
    }
}
