package dev.turnstone.journal.artemis;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.journal.impl.JournalFile;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;

/**
 * The library's journal, with what it leaves to chance taken from it: files are sealed before the next one is used,
 * units never overlap a reclaim or the snapshot of a compaction, and a compaction deletes the files that it replaced
 * before anything could be written to them again.
 */
final class Library extends JournalImpl {
    private static final int FILES_MIN = 2;
    private static final int FILES_KEPT = 10;
    private static final int COMPACT_FILES_MIN = 5;
    private static final int COMPACT_LIVE_PERCENT = 40;
    private static final int FILE_OPEN_TIMEOUT_S = 30;

    private final LibraryThreads threads;

    Library(SegmentFiles files, LibraryThreads threads) {
        super(
                threads,
                files.layout().contentBytes(),
                FILES_MIN,
                FILES_KEPT,
                COMPACT_FILES_MIN,
                COMPACT_LIVE_PERCENT,
                FILE_OPEN_TIMEOUT_S,
                files,
                SegmentLayout.PREFIX,
                SegmentLayout.EXTENSION,
                1,
                0);
        this.threads = threads;
    }

    /** Held while a unit is appended, and by a reclaim or a compaction while a unit must not be half appended. */
    ReentrantLock unitGate() {
        return threads.unitGate();
    }

    /** What fits into files that were made before and are not used. Any thread. */
    long spareBytes() {
        return (long) (getFreeFilesCount() + getOpenedFilesCount()) * getFileSize();
    }

    SegmentFile currentSegment() {
        return segment(getCurrentFile());
    }

    /** Called by load, before it appends that torn transactions are rolled back: not to a file that is complete. */
    @Override
    protected JournalFile setUpCurrentFile(int lastDataPos) throws Exception {
        super.setUpCurrentFile(lastDataPos);
        if (currentSegment().complete()) {
            moveNextFile(false, true);
        }
        return getCurrentFile();
    }

    @Override
    protected void moveNextFile(boolean scheduleReclaim, boolean blockOnClose) throws Exception {
        currentSegment().seal();
        super.moveNextFile(scheduleReclaim, blockOnClose);
    }

    /** Called with the library's write lock held: from here on a new unit waits for that. */
    @Override
    protected void onCompactLockingTheJournal() {
        threads.leaveUnitGate();
    }

    /**
     * The library would first reuse the replaced files and then delete the control file that tells a restart to delete
     * them: a crash between the two would delete what was newly written there. So they are deleted here and never
     * reused.
     */
    @Override
    protected void renameFiles(List<JournalFile> oldFiles, List<JournalFile> newFiles) throws Exception {
        for (JournalFile replaced : oldFiles) {
            segment(replaced).delete();
            getFilesRepository().removeNegatives(replaced);
        }
        for (JournalFile compacted : newFiles) {
            SequentialFile file = compacted.getFile();
            file.renameTo(renameExtensionFile(file.getFileName(), ".cmp"));
        }
    }

    private static SegmentFile segment(JournalFile file) {
        return (SegmentFile) file.getFile();
    }
}
