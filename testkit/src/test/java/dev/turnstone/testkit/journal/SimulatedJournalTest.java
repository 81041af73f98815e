package dev.turnstone.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class SimulatedJournalTest extends JournalContract {
    private final SimulatedDisk disk = new SimulatedDisk(1);

    @Override
    protected Journal open(JournalLimits limits, RecordingListener listener) {
        return disk.open(limits, listener);
    }

    @Override
    protected void sync(Journal journal, RecordingListener listener, long lsn) {
        ((SimulatedJournal) journal).syncUpTo(lsn);
    }

    @Override
    protected void crash(Journal journal, Random random) {
        ((SimulatedJournal) journal).crash(random);
    }

    @Override
    protected boolean syncsOnlyOnDemand() {
        return true;
    }

    @Test
    void nothingIsDurableUntilASyncEnds() {
        SimulatedJournal journal = loaded();
        journal.append(adding(1, "a"));
        journal.append(adding(2, "b"));
        assertThat(listener().durable()).isZero();
        journal.syncUpTo(1);
        assertThat(listener().durable()).isEqualTo(1);
        assertThat(disk.holds(1)).isTrue();
        assertThat(disk.holds(2)).isFalse();
        assertThat(journal.pendingBatches()).isEqualTo(1);
    }

    @Test
    void crashesReachEveryPrefixAndTearOnlyBetweenUnits() {
        Random random = new Random(7);
        Set<String> seen = new TreeSet<>();
        for (int i = 0; i < 100; i++) {
            SimulatedDisk fresh = new SimulatedDisk(i);
            SimulatedJournal journal = fresh.open(LIMITS, new RecordingListener());
            Survivors.of(journal);
            Batch batch = new Batch();
            batch.add(1, (byte) 1, Payload.of(new byte[1]));
            batch.beginUnit();
            batch.add(2, (byte) 1, Payload.of(new byte[1]));
            batch.add(3, (byte) 1, Payload.of(new byte[1]));
            batch.endUnit();
            batch.delete(1);
            journal.append(batch);
            assertThat(journal.pendingUnits()).isEqualTo(3);
            journal.crash(random);
            seen.add(Survivors.of(fresh.open(LIMITS, new RecordingListener()))
                    .keySet()
                    .toString());
        }
        assertThat(seen).containsExactlyInAnyOrder("[]", "[1]", "[1, 2, 3]", "[2, 3]");
    }

    @Test
    void aFailureIsHeardOnceAndStopsAppends() {
        SimulatedJournal journal = loaded();
        journal.append(adding(1, "a"));
        journal.fail("disk on fire");
        assertThat(listener().awaitFailure()).hasMessage("disk on fire");
        assertThatThrownBy(() -> journal.append(adding(2, "b"))).isInstanceOf(JournalException.class);
        journal.close();
        assertThat(listener().durable()).isZero();
    }

    @Test
    void anIdIsUsedTwiceOnlyIfACrashLeftNothingOfItsFirstUse() {
        SimulatedJournal journal = loaded();
        journal.append(adding(1, "a"));
        assertThatThrownBy(() -> journal.append(adding(1, "b"))).hasMessageContaining("record id 1 was used before");
        journal.append(adding(2, "b"));
        journal.crashKeeping(1);
        SimulatedJournal next = loaded();
        assertThatThrownBy(() -> next.append(adding(1, "c"))).hasMessageContaining("record id 1 was used before");
        next.append(adding(2, "c"));
        assertThatThrownBy(() -> next.append(adding(2, "d"))).hasMessageContaining("record id 2 was used before");
    }

    @Test
    void onlyALivingRecordCanBeDeleted() {
        SimulatedJournal journal = loaded();
        journal.append(adding(1, "a"));
        Batch batch = new Batch();
        batch.delete(1);
        journal.append(batch);
        assertThatThrownBy(() -> journal.append(batch)).hasMessageContaining("which does not live");
    }

    @Test
    void aPayloadThatWritesLessThanItSaidIsCaught() {
        SimulatedJournal journal = loaded();
        Batch batch = new Batch();
        batch.add(1, (byte) 1, new Payload() {
            @Override
            public int sizeBytes() {
                return 2;
            }

            @Override
            public void writeTo(ByteBuffer target) {
                target.put((byte) 1);
            }
        });
        assertThatThrownBy(() -> journal.append(batch)).hasMessageContaining("wrote less");
    }

    @Test
    void survivorsComeInNoParticularOrder() {
        SimulatedJournal journal = loaded();
        for (long id = 0; id < 50; id++) {
            journal.append(adding(id, "x"));
        }
        journal.close();
        List<Long> ids = new ArrayList<>();
        disk.open(LIMITS, new RecordingListener()).load((id, type, payload) -> ids.add(id));
        assertThat(ids).hasSize(50).isNotEqualTo(ids.stream().sorted().toList());
    }

    private SimulatedJournal loaded() {
        return (SimulatedJournal) opened(LIMITS);
    }
}
