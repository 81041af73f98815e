package dev.turnstone.journal.artemis;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import dev.turnstone.journal.JournalFileReport;
import dev.turnstone.journal.JournalFileReport.State;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.JournalReport;
import dev.turnstone.journal.NamedFiles;
import dev.turnstone.journal.file.FileLayer;
import dev.turnstone.journal.page.PageInspection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongPredicate;
import org.apache.activemq.artemis.core.journal.impl.JournalFileImpl;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;

/** A journal that nobody uses, looked at without a change. Used by one thread. */
final class OfflineJournal {
    private static final int NO_BUFFER_BYTES = 4 << 10;

    private final DataFolder folder;
    private final SegmentLayout layout;
    private final FileLayer files;

    OfflineJournal(DataFolder folder) {
        this.folder = folder;
        this.layout = new SegmentLayout(folder.fileBytes());
        this.files = FileLayer.readOnly();
    }

    JournalReport report(PageInspection pages, NamedFiles named, LongPredicate chunks) {
        try {
            List<Inspection.Segment> segments =
                    new ArrayList<>(new Inspection(folder.journalPath(), files, layout).look());
            Collections.reverse(segments);
            List<String> problems = new ArrayList<>();
            List<JournalFileReport> found = new ArrayList<>();
            for (Inspection.Segment segment : segments) {
                if (segment.problem() != null) {
                    problems.add(segment.path() + " " + segment.problem());
                }
                found.add(report(segment));
            }
            LivingCount living = problems.isEmpty() ? living(segments, named) : null;
            JournalReport.Pages pageFiles = pages.report(living == null ? null : living.files(), chunks, problems);
            return new JournalReport(
                    folder.format(),
                    folder.fileBytes(),
                    found,
                    problems,
                    living == null ? null : living.living(),
                    pageFiles);
        } catch (IOException e) {
            throw new JournalException(Kind.IO, "cannot read the journal in " + folder.journalPath() + ": " + e, e);
        }
    }

    private static JournalFileReport report(Inspection.Segment segment) {
        SegmentScan scan = segment.scan();
        State state = State.DAMAGED;
        if (segment.problem() == null) {
            State withData = segment.complete() ? State.COMPLETE : State.OPEN;
            state = segment.hasData() ? withData : State.SPARE;
        }
        return new JournalFileReport(
                segment.path().getFileName().toString(),
                segment.id(),
                segment.size(),
                scan == null ? 0 : scan.dataEnd(),
                state);
    }

    private LivingCount living(List<Inspection.Segment> oldestFirst, NamedFiles named) {
        LivingCount count = new LivingCount(named);
        Progress progress = new Progress(JournalLimits.DEFAULTS, new Unconcerned());
        SegmentFiles library = new SegmentFiles(folder.journalPath(), files, layout, progress, NO_BUFFER_BYTES);
        for (Inspection.Segment segment : oldestFirst) {
            SegmentFile file =
                    new SegmentFile(library, segment.path().getFileName().toString());
            Library.read(library, new JournalFileImpl(file, segment.id(), JournalImpl.FORMAT_VERSION), count);
        }
        return count;
    }

    /** What fails here is thrown. */
    private static final class Unconcerned implements JournalListener {
        @Override
        public void durable(long lsn) {
            throw new IllegalStateException("nothing is written");
        }

        @Override
        public void failed(JournalException cause) {
            // Thrown to who reads.
        }
    }
}
