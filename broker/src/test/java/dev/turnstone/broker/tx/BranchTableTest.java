package dev.turnstone.broker.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.MemoryJournal;
import dev.turnstone.broker.MemoryPages;
import dev.turnstone.broker.dedup.Duplicates;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.queue.Agenda;
import dev.turnstone.broker.queue.QueueContext;
import dev.turnstone.broker.route.Addresses;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.state.ProtocolState;
import dev.turnstone.broker.store.BranchRecord;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.broker.store.Survivors;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.port.Address;
import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator's decision does to a prepared branch. */
final class BranchTableTest {
    private static final BranchId BRANCH = new BranchId(1, new byte[] {1}, new byte[] {2});
    private static final String USER = "ann";

    private final Map<Long, MemoryJournal.Stored> disk = new LinkedHashMap<>();
    private final MemoryJournal journal = new MemoryJournal(disk, new JournalListener() {
        @Override
        public void durable(long lsn) {
            // Nobody waits.
        }

        @Override
        public void failed(JournalException cause) {
            throw cause;
        }
    });
    private final Log log = Survivors.read(journal, Limits.DEFAULTS).log(journal);
    private final Memory memory = new Memory(1 << 20);
    private final MessageStore store = new MessageStore(log, memory);
    private final Addresses addresses = new Addresses(
            store,
            new QueueContext(store, new Agenda(), Limits.DEFAULTS, MemoryPages.unheard(store), () -> 0.5),
            Limits.DEFAULTS,
            AddressRules.DEFAULTS);
    private final BranchTable table = new BranchTable(
            new Effects(
                    addresses,
                    new ProtocolState(log, memory, Limits.DEFAULTS),
                    new Duplicates(log, memory, Limits.DEFAULTS)),
            Limits.DEFAULTS);

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    private long records(RecordType type) {
        log.append();
        while (journal.undurable() > 0) {
            journal.sync();
        }
        return disk.values().stream()
                .filter(stored -> stored.type() == type.code())
                .count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anOperatorsDecisionTakesEffectAndIsRemembered(boolean commit) {
        Branch branch = table.start(new BranchStart(BRANCH, BranchStart.Mode.NEW, 1, 0), USER, this, "c1");
        branch.transaction()
                .send(
                        MessageBuilder.to(Address.queue("q")).text("a").build(),
                        null,
                        new Origin("c1", null, null),
                        List.of());
        refused(ErrorCode.BRANCH_STATE, () -> table.decide(BRANCH, commit));
        table.end(BRANCH, BranchEnd.SUCCESS, USER, this);
        refused(ErrorCode.BRANCH_STATE, () -> table.decide(BRANCH, commit));
        table.prepare(BRANCH, USER);
        assertThat(records(RecordType.PREPARED_SEND)).isEqualTo(1);
        refused(ErrorCode.NO_SUCH_BRANCH, () -> table.forget(BRANCH, USER));
        refused(ErrorCode.NO_SUCH_BRANCH, () -> table.commit(BRANCH, false, "bob"));
        assertThat(table.recover("bob")).isEmpty();

        table.decide(BRANCH, commit);

        assertThat(records(RecordType.PREPARED_SEND)).isZero();
        assertThat(records(RecordType.MESSAGE)).isEqualTo(commit ? 1 : 0);
        assertThat(records(RecordType.BRANCH)).isEqualTo(1);
        ErrorCode expected = commit ? ErrorCode.HEURISTIC_COMMIT : ErrorCode.HEURISTIC_ROLLBACK;
        refused(expected, () -> table.commit(BRANCH, false, USER));
        refused(expected, () -> table.rollback(BRANCH, USER));
        refused(expected, () -> table.decide(BRANCH, commit));
        assertThat(table.recover(USER)).containsExactly(BRANCH);
        table.forget(BRANCH, USER);
        assertThat(table.recover(USER)).isEmpty();
        assertThat(records(RecordType.BRANCH)).isZero();
        assertThat(BranchRecord.State.values()).hasSize(3);
    }
}
