package dev.turnstone.journal.artemis;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import dev.turnstone.journal.file.BlockFile;
import dev.turnstone.journal.file.FileLayer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every journal file before the library does, which would skip what it cannot read. Only the newest file with
 * data may end torn; anything else that is not as it was synced is reported, and nothing is changed then. Run once, by
 * the thread that loads.
 */
final class Inspection {
    private static final int FILL_STEP_BYTES = 1 << 20;

    /** A file, what its bytes say, and what is wrong with it; the scan is null if not even its header is known. */
    record Segment(
            Path path,
            long id,
            long size,
            @Nullable SegmentScan scan,
            @Nullable String problem,
            Kind kind) {
        boolean hasData() {
            return scan != null && scan.hasData();
        }

        boolean complete() {
            return scan != null && scan.complete();
        }

        private Segment wrong(String what) {
            return problem != null ? this : new Segment(path, id, size, scan, what, kind);
        }
    }

    private final Path folder;
    private final FileLayer layer;
    private final SegmentLayout layout;
    private final ByteBuffer content;

    Inspection(Path folder, FileLayer layer, SegmentLayout layout) {
        this.folder = folder;
        this.layer = layer;
        this.layout = layout;
        this.content = ByteBuffer.allocateDirect(layout.contentBytes());
    }

    /**
     * Checks all files, then makes the last one whole and durable: a crash may have left it in the operating system's
     * memory only.
     */
    void run() throws IOException {
        List<Segment> segments = look();
        for (Segment segment : segments) {
            if (segment.problem() != null) {
                throw new JournalException(
                        segment.kind(),
                        segment.path() + " " + segment.problem()
                                + "; nothing was changed; 'turnstone journal verify' shows all that is wrong");
            }
        }
        for (Segment segment : segments) {
            makeWhole(segment);
            if (segment.hasData()) {
                break;
            }
        }
    }

    /** All files, newest first; changes nothing. */
    List<Segment> look() throws IOException {
        List<Segment> segments = new ArrayList<>();
        for (String name : layer.list(folder)) {
            if (name.startsWith(SegmentLayout.PREFIX + "-") && name.endsWith("." + SegmentLayout.EXTENSION)) {
                segments.add(segment(folder.resolve(name)));
            }
        }
        segments.sort(Comparator.comparingLong(Segment::id).reversed());
        boolean newerHasData = false;
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            if (newerHasData) {
                segments.set(i, followed(segment));
            }
            newerHasData |= segment.hasData();
        }
        return segments;
    }

    /** What must hold of a file after which others were written. */
    private Segment followed(Segment segment) {
        if (segment.scan() != null && !segment.complete() && segment.hasData()) {
            return segment.wrong("ends at position " + segment.scan().dataEnd() + " though later files were written");
        }
        if (segment.scan() != null && segment.scan().begun() && !segment.hasData()) {
            return segment.wrong("is damaged at position " + segment.scan().dataEnd());
        }
        if (segment.size() < layout.fileBytes()) {
            return segment.wrong("is cut to " + segment.size() + " bytes");
        }
        return segment;
    }

    private Segment segment(Path path) throws IOException {
        ByteBuffer trailer = ByteBuffer.allocate(SegmentLayout.TRAILER_BYTES);
        content.clear();
        long size;
        try (BlockFile file = layer.open(path)) {
            size = file.size();
            file.read(content, 0);
            file.read(trailer, layout.contentBytes());
        }
        if (!SegmentLayout.isHeaderKnown(content.flip())) {
            long id = content.limit() < JournalImpl.SIZE_HEADER ? 0 : content.getLong(8);
            return new Segment(path, id, size, null, "has no valid header at position 0", Kind.CORRUPT);
        }
        long id = content.getLong(8);
        SegmentScan scan = SegmentScan.of(content, trailer.flip());
        if (scan.newerFormat()) {
            return new Segment(path, id, size, scan, "was written by a newer version", Kind.NEWER_FORMAT);
        }
        String problem = scan.damaged() ? "is damaged at position " + scan.damageAt() : null;
        return new Segment(path, id, size, scan, problem, Kind.CORRUPT);
    }

    private void makeWhole(Segment segment) throws IOException {
        try (BlockFile file = layer.open(segment.path())) {
            for (long at = file.size(); at < layout.fileBytes(); at = file.size()) {
                int step = (int) Math.min(FILL_STEP_BYTES, layout.fileBytes() - at);
                file.write(ByteBuffer.allocate(step), at);
            }
            file.sync();
        }
    }
}
