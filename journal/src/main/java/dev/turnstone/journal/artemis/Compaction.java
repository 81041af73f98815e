package dev.turnstone.journal.artemis;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.apache.activemq.artemis.core.journal.impl.JournalFile;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the space of the journal in proportion to what lives. While too little does, the records that live in the
 * oldest file are appended again, a few at a time between other appends, and the file comes free. The oldest one
 * always, since the deletes that later files hold of it would keep those. No append waits for more than one step. Used
 * by the journal's thread, but for the reading of a file, which another thread does.
 */
final class Compaction {
    /** With less than this alive, the oldest file is emptied. */
    private static final int LIVE_PERCENT_MIN = 40;

    /** With less than this alive, files are emptied as fast as may be. */
    private static final int LIVE_PERCENT_BEHIND = 34;

    /** So few files are not worth it. */
    private static final int FILES_MIN = 5;

    private static final int STEP_BYTES = 64 << 10;

    /** A unit for less costs more than what it moves. */
    private static final int STEP_BYTES_MIN = 8 << 10;

    /** What is moved, in percent of what is appended: so much with just less alive than is aimed at, and at most. */
    private static final int PACE_PERCENT_MIN = 50;

    private static final int PACE_PERCENT_MAX = 300;

    /** What is owed waits for a pause in the appends, but not with more than this. */
    private static final int OWED_BYTES_MAX = 4 * STEP_BYTES;

    private enum Wanted {
        NOTHING,
        SPACE_IF_QUIET,
        SPACE
    }

    private final Library library;
    private final SegmentFiles files;
    private final BatchWriter writer;
    private final Executor reader;
    private final Runnable wake;

    /** What was found alive in the oldest file; null while nothing is to be moved. */
    private volatile @Nullable Queue<RecordInfo> found;

    private volatile Wanted wanted = Wanted.NOTHING;

    /** True once files were emptied that nobody has made free. */
    private volatile boolean emptiedSome;

    /** The id of the last file that was emptied. */
    private long emptied = -1;

    private boolean reading;
    private int pacePercent = PACE_PERCENT_MIN;
    private long owedBytes;

    /**
     * Nothing to do yet.
     *
     * @param reader where files are read
     * @param wake called when there is something to move
     */
    Compaction(Library library, SegmentFiles files, BatchWriter writer, Executor reader, Runnable wake) {
        this.library = library;
        this.files = files;
        this.writer = writer;
        this.reader = reader;
        this.wake = wake;
    }

    /** A moment has passed: what was emptied should come free, if all is quiet or the disk is full. Any thread. */
    void tick(boolean full) {
        if (full || emptiedSome) {
            wanted = full ? Wanted.SPACE : Wanted.SPACE_IF_QUIET;
            wake.run();
        }
    }

    /** True if there is something to do when nothing else is. */
    boolean ready() {
        return found != null || wanted != Wanted.NOTHING;
    }

    /** True if that cannot wait until other appends pause: the disk is full. */
    boolean urgent() {
        return wanted == Wanted.SPACE;
    }

    /** Looks whether there is a file to empty; after a start, and whenever a file was begun or emptied. */
    void consider() {
        if (reading) {
            return;
        }
        JournalFile oldest = null;
        long count = 1;
        long live = 0;
        for (JournalFile file : library.completeFiles()) {
            if (file.getFileID() > emptied) {
                oldest = oldest == null ? file : oldest;
                count++;
                live += file.getLiveSize();
            }
        }
        long space = count * library.getFileSize();
        if (oldest != null && count > FILES_MIN && live * 100 < space * LIVE_PERCENT_MIN) {
            pacePercent = pacePercent(live * 100.0 / space);
            empty(oldest);
        }
    }

    /** More, the less is alive. */
    private static int pacePercent(double livePercent) {
        double behind = Math.min(1, (LIVE_PERCENT_MIN - livePercent) / (LIVE_PERCENT_MIN - LIVE_PERCENT_BEHIND));
        return (int) (PACE_PERCENT_MIN + behind * (PACE_PERCENT_MAX - PACE_PERCENT_MIN));
    }

    private void empty(JournalFile oldest) {
        reading = true;
        reader.execute(() -> {
            try {
                found = new ArrayDeque<>(living(oldest));
                wake.run();
            } catch (RuntimeException | Error e) {
                files.progress().failed("reading " + oldest.getFile() + " to empty it", e);
            }
        });
        emptied = oldest.getFileID();
    }

    /** What lives in a file, which nobody writes to: reclaims, which might, wait behind this on the same thread. */
    private List<RecordInfo> living(JournalFile file) {
        if (file.getLiveSize() == 0) {
            return List.of();
        }
        SegmentFile copy = new SegmentFile(files, file.getFile().getFileName());
        try {
            return copy.read(
                    content -> AddedRecords.of(copy, content, files.torn(), library.getRecords()::containsKey));
        } catch (IOException e) {
            throw new JournalException(Kind.IO, "cannot read " + file.getFile() + ": " + e, e);
        }
    }

    /** Notes that something was appended; moves something now if appends leave no pause for it. */
    void keepPace(long appendedBytes) throws IOException, InterruptedException {
        if (library.fileWasBegun()) {
            consider();
        }
        owedBytes += appendedBytes * pacePercent / 100;
        while (owedBytes >= OWED_BYTES_MAX) {
            moveOwed();
        }
    }

    /** True if so much was appended that something should be moved, best in a pause of the appends. */
    boolean owes() {
        return owedBytes >= STEP_BYTES_MIN && found != null;
    }

    /** Moves some of what is owed, which becomes durable with what is appended next. */
    void moveOwed() throws IOException, InterruptedException {
        long step = Math.min(owedBytes, STEP_BYTES);
        owedBytes = found == null ? 0 : owedBytes - step;
        move(step);
    }

    /** Does something while there is nothing else to do; true if something was appended, which is not durable yet. */
    boolean step() throws IOException, InterruptedException {
        Wanted now = wanted;
        if (now != Wanted.NOTHING) {
            wanted = Wanted.NOTHING;
            if (now == Wanted.SPACE || owedBytes == 0) {
                // What was emptied comes free when the current file is complete, and nothing else may complete it soon.
                emptiedSome = false;
                library.moveOnIfThatFrees();
                consider();
            }
            owedBytes = 0;
        } else if (library.fileWasBegun()) {
            consider();
        }
        return move(STEP_BYTES);
    }

    private boolean move(long bytes) throws IOException, InterruptedException {
        Queue<RecordInfo> left = found;
        if (left == null) {
            return false;
        }
        List<RecordInfo> step = new ArrayList<>();
        long taken = 0;
        while (taken < bytes && !left.isEmpty()) {
            RecordInfo next = left.remove();
            if (library.getRecords().containsKey(next.id)) {
                step.add(next);
                taken += next.data.length;
            }
        }
        if (!step.isEmpty()) {
            writer.move(step);
        }
        if (left.isEmpty()) {
            found = null;
            reading = false;
            emptiedSome = true;
            consider();
        }
        return !step.isEmpty();
    }
}
