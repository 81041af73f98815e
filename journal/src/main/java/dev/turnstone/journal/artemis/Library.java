package dev.turnstone.journal.artemis;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.activemq.artemis.core.journal.IOCompletion;
import org.apache.activemq.artemis.core.journal.JournalLoadInformation;
import org.apache.activemq.artemis.core.journal.JournalUpdateCallback;
import org.apache.activemq.artemis.core.journal.LoaderCallback;
import org.apache.activemq.artemis.core.journal.impl.JournalFile;
import org.apache.activemq.artemis.core.journal.impl.JournalFilesRepository;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.apache.activemq.artemis.core.journal.impl.JournalReaderCallback;
import org.apache.activemq.artemis.core.journal.impl.Reclaimer;
import org.apache.activemq.artemis.core.journal.impl.dataformat.ByteArrayEncoding;
import org.apache.activemq.artemis.core.persistence.Persister;

/**
 * The library's journal, with what it leaves to chance taken from it: files are sealed before the next one is used,
 * units never overlap a reclaim, and its own compaction, which stops the journal and needs the disk twice, is off: see
 * {@link Compaction}.
 */
final class Library extends JournalImpl {
    private static final int FILES_MIN = 2;
    /** Tells the library to keep all files that come free; {@link #giveBackSurplus} decides how many stay. */
    private static final int ALL_KEPT = -1;

    /** While there are fewer files in all, those that come free are kept. */
    private static final int FILES_KEPT = 10;

    /** So many free files are kept however many hold data: making one costs as much as filling it. */
    private static final int FREE_KEPT = 3;

    /** Of so many files with data, one more free one is kept: how many come free at once goes with them. */
    private static final int DATA_PER_FREE_KEPT = 4;

    private static final int FILE_OPEN_TIMEOUT_S = 30;

    private static final ByteArrayEncoding NOTHING = new ByteArrayEncoding(new byte[0]);

    private final SegmentFiles files;
    private final LibraryThreads threads;
    private final ReentrantLock unitGate = new ReentrantLock();
    private boolean fileBegun = true;
    private boolean loaded;

    Library(SegmentFiles files, LibraryThreads threads) {
        super(
                threads,
                files.layout().contentBytes(),
                FILES_MIN,
                ALL_KEPT,
                0,
                0,
                FILE_OPEN_TIMEOUT_S,
                files,
                SegmentLayout.PREFIX,
                SegmentLayout.EXTENSION,
                1,
                0);
        this.files = files;
        this.threads = threads;
    }

    /** Makes the files free in which nothing lives. Units wait while this looks for them, not while it does. */
    private void reclaim() {
        try {
            List<JournalFile> free = takeDead();
            // What was counted are deletes in files that are complete, and may not be durable yet.
            files.commit().seals().await();
            for (JournalFile dead : free) {
                call(() -> {
                    getFilesRepository().addFreeFile(dead, false);
                    return null;
                });
            }
            giveBackSurplus();
        } catch (InterruptedException e) {
            // The journal has failed.
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            files.progress().failed("making files free", e);
        }
    }

    private List<JournalFile> takeDead() {
        List<JournalFile> dead = new ArrayList<>();
        unitGate.lock();
        try {
            Reclaimer.scan(getDataFiles());
            for (JournalFile file : completeFiles()) {
                if (file.isCanReclaim()) {
                    getFilesRepository().removeDataFile(file);
                    dead.add(file);
                }
            }
        } finally {
            unitGate.unlock();
        }
        return dead;
    }

    /** Deletes free files that are more than are worth keeping. The thread that reclaims. */
    private void giveBackSurplus() {
        JournalFilesRepository files = getFilesRepository();
        while (files.getFreeFilesCount() > FREE_KEPT + files.getDataFilesCount() / DATA_PER_FREE_KEPT
                && files.getFreeFilesCount() + files.getOpenedFilesCount() + files.getDataFilesCount() >= FILES_KEPT) {
            // Nobody else takes so many that none is left, since the next file is made ready one at a time.
            JournalFile surplus = files.getFreeFile();
            call(() -> {
                surplus.getFile().delete();
                return null;
            });
        }
    }

    /** Held while a unit is appended, and by a reclaim while a unit must not be half appended. */
    ReentrantLock unitGate() {
        return unitGate;
    }

    /** What fits into files that were made before and are not used. Any thread. */
    long spareBytes() {
        return (long) (getFreeFilesCount() + getOpenedFilesCount()) * getFileSize();
    }

    SegmentFile currentSegment() {
        return segment(getCurrentFile());
    }

    @Override
    public JournalLoadInformation load(LoaderCallback callback) throws Exception {
        JournalLoadInformation information = super.load(callback);
        loaded = true;
        return information;
    }

    /** Called by load, before it appends that torn transactions are rolled back: not to a file that must end. */
    @Override
    protected JournalFile setUpCurrentFile(int lastDataPos) throws Exception {
        super.setUpCurrentFile(lastDataPos);
        if (currentSegment().complete() || currentSegment().leftOver()) {
            moveNextFile(false, true);
        }
        return getCurrentFile();
    }

    @Override
    protected void moveNextFile(boolean scheduleReclaim, boolean blockOnClose) throws Exception {
        currentSegment().seal(blockOnClose || !loaded);
        super.moveNextFile(false, blockOnClose);
        fileBegun = true;
        // A load reclaims by itself when it is done.
        if (scheduleReclaim && loaded) {
            threads.executeCompaction(this::reclaim);
        }
    }

    /** The files with data before the current one, oldest first; reclaims may take some out meanwhile. Any thread. */
    Collection<JournalFile> completeFiles() {
        return getFilesRepository().getDataFiles();
    }

    /** True if a file was begun since this was last asked, and at first. The thread that appends. */
    boolean fileWasBegun() {
        boolean begun = fileBegun;
        fileBegun = false;
        return begun;
    }

    /**
     * Begins another file if that lets at least two be used again: what a file deletes counts only once it is complete.
     * The thread that appends, between units.
     */
    void moveOnIfThatFrees() {
        int freed = 0;
        for (JournalFile file : completeFiles()) {
            if (!isDead(file)) {
                break;
            }
            freed++;
        }
        if (freed > 1) {
            call(() -> {
                moveNextFile(true, true);
                return null;
            });
        }
    }

    private boolean isDead(JournalFile file) {
        int deleted = getCurrentFile().getNegCount(file);
        for (JournalFile other : completeFiles()) {
            deleted += other.getNegCount(file);
        }
        return deleted >= file.getPosCount();
    }

    /** Reads a file from its start. Any thread. */
    static void read(SegmentFiles files, JournalFile file, JournalReaderCallback reader) {
        call(() -> readJournalFile(files, file, reader));
    }

    void add(long id, byte type, Persister<Batch.Add> persister, Batch.Add record, IOCompletion onError) {
        call(() -> {
            appendAddRecord(id, type, persister, record, false, onError);
            return null;
        });
    }

    void delete(long id, JournalUpdateCallback found, IOCompletion onError) {
        call(() -> {
            tryAppendDeleteRecord(id, false, found, onError);
            return null;
        });
    }

    <T> void addIn(long transaction, long id, byte type, Persister<T> persister, T record) {
        call(() -> {
            appendAddRecordTransactional(transaction, id, type, persister, record);
            return null;
        });
    }

    void deleteIn(long transaction, long id) {
        call(() -> {
            appendDeleteRecordTransactional(transaction, id, NOTHING);
            return null;
        });
    }

    void commit(long transaction, IOCompletion onError) {
        call(() -> {
            appendCommitRecord(transaction, false, onError, false);
            return null;
        });
    }

    /** The library's methods declare Exception, whatever it is that they throw; what they do throw ends the journal. */
    private static <T> void call(Callable<T> call) {
        try {
            call.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new JournalException(Kind.IO, "the journal library failed: " + e, e);
        }
    }

    private static SegmentFile segment(JournalFile file) {
        return (SegmentFile) file.getFile();
    }
}
