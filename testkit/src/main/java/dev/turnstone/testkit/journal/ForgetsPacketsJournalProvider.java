package dev.turnstone.testkit.journal;

import dev.turnstone.broker.store.RecordType;
import dev.turnstone.broker.store.StateRecord;
import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.JournalProvider;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The mutant {@code artemis-forgets-packets}: stores a message without the packet identifier that MQTT has given it, on
 * a disk that is late to say what it has, so that a kill finds messages stored whose sender has not heard of it. All
 * else is honest. A crash test must catch it. Any thread.
 */
public final class ForgetsPacketsJournalProvider implements JournalProvider {
    private static final Duration SAID_AFTER = Duration.ofMillis(50);

    /** The namespace, the client identifier, and what says that a packet has been received. */
    private static final Pattern RECEIVED = Pattern.compile("^..mqtt\0[^\0]*\0i[0-9]+$", Pattern.DOTALL);

    @Override
    public String name() {
        return "artemis-forgets-packets";
    }

    @Override
    public Journal open(Path folder, JournalLimits limits, JournalListener listener) {
        Set<Long> forgotten = new HashSet<>();
        JournalProvider late = new ArtemisJournalProvider(name(), WithholdingFiles.thatSayLate(SAID_AFTER));
        return FaultyJournal.forgetful(late, folder, limits, listener, batch -> kept(batch, forgotten));
    }

    private static Batch kept(Batch batch, Set<Long> forgotten) {
        Batch kept = new Batch();
        for (Batch.Step step : batch.steps()) {
            if (step instanceof Batch.Add add) {
                if (isPacket(add)) {
                    forgotten.add(add.id());
                } else {
                    kept.add(add.id(), add.type(), add.payload());
                }
            } else if (step instanceof Batch.Delete delete) {
                if (!forgotten.remove(delete.id())) {
                    kept.delete(delete.id());
                }
            } else if (step instanceof Batch.BeginUnit) {
                kept.beginUnit();
            } else {
                kept.endUnit();
            }
        }
        if (batch.relaxed()) {
            kept.relax();
        }
        return kept;
    }

    private static boolean isPacket(Batch.Add add) {
        return add.type() == RecordType.STATE.code()
                && add.payload() instanceof StateRecord state
                && RECEIVED.matcher(new String(state.cell(), StandardCharsets.ISO_8859_1))
                        .matches();
    }

    @Override
    public PageStore openPages(Path folder, PageListener listener) {
        return new ArtemisJournalProvider(name(), new WithholdingFiles()).openPages(folder, listener);
    }
}
