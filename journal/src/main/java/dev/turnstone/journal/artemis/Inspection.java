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

/**
 * Looks at every journal file before the library does, which would skip what it cannot read. Only the newest file with
 * data may end torn; anything else that is not as it was synced is reported, and nothing is changed then. Run once, by
 * the thread that loads.
 */
final class Inspection {
    private static final int FILL_STEP_BYTES = 1 << 20;

    private record Segment(Path path, long id, long size) {}

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
        boolean newerHasData = false;
        List<Segment> open = new ArrayList<>();
        for (Segment segment : newestFirst()) {
            SegmentScan scan = scan(segment);
            if (scan.newerFormat()) {
                throw new JournalException(Kind.NEWER_FORMAT, segment.path() + " was written by a newer version");
            }
            if (scan.damaged()) {
                throw corrupt(segment, "is damaged at position " + scan.damageAt());
            }
            if (newerHasData && !scan.complete() && scan.hasData()) {
                throw corrupt(segment, "ends at position " + scan.dataEnd() + " though later files were written");
            }
            if (newerHasData && segment.size() < layout.fileBytes()) {
                throw corrupt(segment, "is cut to " + segment.size() + " bytes");
            }
            if (!newerHasData) {
                open.add(segment);
            }
            newerHasData |= scan.hasData();
        }
        for (Segment segment : open) {
            makeWhole(segment);
        }
    }

    private List<Segment> newestFirst() throws IOException {
        List<Segment> segments = new ArrayList<>();
        for (String name : layer.list(folder)) {
            if (name.startsWith(SegmentLayout.PREFIX + "-") && name.endsWith("." + SegmentLayout.EXTENSION)) {
                segments.add(segment(folder.resolve(name)));
            }
        }
        segments.sort(Comparator.comparingLong(Segment::id).reversed());
        return segments;
    }

    private Segment segment(Path path) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(JournalImpl.SIZE_HEADER);
        try (BlockFile file = layer.open(path)) {
            file.read(header, 0);
            Segment segment = new Segment(path, header.getLong(8), file.size());
            if (!SegmentLayout.isHeaderKnown(header.flip())) {
                throw corrupt(segment, "has no valid header");
            }
            return segment;
        }
    }

    private SegmentScan scan(Segment segment) throws IOException {
        ByteBuffer trailer = ByteBuffer.allocate(SegmentLayout.TRAILER_BYTES);
        content.clear();
        try (BlockFile file = layer.open(segment.path())) {
            file.read(content, 0);
            file.read(trailer, layout.contentBytes());
        }
        return SegmentScan.of(content.flip(), trailer.flip());
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

    private static JournalException corrupt(Segment segment, String what) {
        return new JournalException(Kind.CORRUPT, segment.path() + " " + what);
    }
}
