package dev.turnstone.journal.artemis;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.RecordVisitor;
import dev.turnstone.journal.file.FileLayer;
import java.io.IOException;
import java.nio.file.Path;

/** The journal's face to the engine's thread; what it takes it hands to the {@link JournalThread}. */
final class ArtemisJournal implements Journal {
    private enum State {
        OPENED,
        LOADED,
        CLOSED
    }

    private static final int BUFFER_BYTES = 4 << 20;

    /** What a step costs besides its payload: the library's frame and our objects. */
    private static final int STEP_BYTES = 64;

    private final DataFolder folder;
    private final JournalLimits limits;
    private final Progress progress;
    private final SegmentFiles files;
    private final LibraryThreads threads;
    private final Library library;
    private final JournalThread thread;
    private final SyncThread syncThread;
    private final DiskWatch disk;
    private final LiveRecords records;
    private State state = State.OPENED;
    private long lastLsn;

    private ArtemisJournal(DataFolder folder, JournalLimits limits, JournalListener listener, FileLayer layer) {
        this.folder = folder;
        this.limits = limits;
        this.progress = new Progress(limits, listener);
        this.threads = new LibraryThreads(folder.journalPath());
        SegmentLayout layout = new SegmentLayout(folder.fileBytes());
        this.files = new SegmentFiles(
                folder.journalPath(), layer, layout, progress, Math.min(BUFFER_BYTES, layout.fileBytes()));
        this.library = new Library(files, threads);
        this.records = new LiveRecords(library, files);
        this.thread = new JournalThread(library, files, threads);
        this.syncThread = new SyncThread(files.folder(), files.commit(), progress);
        this.disk = new DiskWatch(files, limits.diskLowWaterBytes(), library::spareBytes, thread::tick);
        progress.whenFailed(() -> {
            threads.interrupt();
            syncThread.stop();
            thread.interrupt();
        });
    }

    static ArtemisJournal open(Path path, JournalLimits limits, JournalListener listener, FileLayer layer) {
        DataFolder folder = DataFolder.open(path, limits, layer);
        try {
            return new ArtemisJournal(folder, limits, listener, layer);
        } catch (RuntimeException | Error e) {
            folder.close();
            throw e;
        }
    }

    @Override
    public void load(RecordVisitor visitor) {
        check(state == State.OPENED, "load is called once, before anything else");
        Survivors survivors = new Survivors(limits.loadBytes(), files.torn());
        try {
            new Inspection(folder.journalPath(), files.layer(), files.layout()).run();
            library.start();
            library.load(survivors);
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException(Kind.IO, "cannot read the journal in " + folder.journalPath() + ": " + e, e);
        } catch (Exception e) {
            progress.check();
            throw new JournalException(
                    Kind.CORRUPT, "cannot load the journal in " + folder.journalPath() + ": " + e, e);
        }
        progress.check();
        folder.raiseFormat();
        thread.expectMoved(survivors.movedUpTo());
        if (survivors.tooMany()) {
            records.visitAll(visitor);
        } else {
            survivors.visit(visitor);
        }
        progress.speak();
        disk.start();
        state = State.LOADED;
    }

    @Override
    public void visit(long firstId, long lastId, RecordVisitor visitor) {
        check(state == State.LOADED && lastLsn == 0, "records are visited between load and the first append");
        records.visit(firstId, lastId, visitor);
        progress.check();
    }

    /** With the first append: before it, nothing changes the files, so that records can be read there. */
    private void startThreads() {
        thread.start();
        syncThread.start();
    }

    @Override
    public long append(Batch batch) {
        progress.check();
        check(state == State.LOADED, "append comes after load and before close");
        checkBatch(batch);
        if (lastLsn == 0) {
            startThreads();
        }
        lastLsn++;
        progress.handedOver(bytes(batch));
        thread.take(batch);
        return lastLsn;
    }

    @Override
    public long durableLsn() {
        return progress.durableLsn();
    }

    @Override
    public long outstandingBytes() {
        return progress.outstandingBytes();
    }

    @Override
    public boolean accepting() {
        return progress.accepting();
    }

    @Override
    public boolean hasRoom() {
        return disk.hasRoom();
    }

    @Override
    public long freeBytes() {
        return disk.freeBytes();
    }

    @Override
    public int recordMaxBytes() {
        return limits.recordMaxBytes();
    }

    @Override
    public void close() {
        if (state == State.CLOSED) {
            return;
        }
        boolean loaded = state == State.LOADED;
        state = State.CLOSED;
        disk.stop();
        if (loaded) {
            if (lastLsn == 0) {
                // What the library's load has appended must still reach the disk.
                startThreads();
            }
            thread.finish();
            syncThread.stop();
        }
        progress.mute();
        files.commit().seals().abandon();
        library.stop();
        // While a thread of ours may still write, the folder stays locked.
        if (threads.stop()) {
            folder.close();
        } else {
            throw new JournalException(Kind.IO, "the journal's threads do not end; the data folder stays locked");
        }
    }

    /** What a batch counts for while it is outstanding. */
    static long bytes(Batch batch) {
        return batch.payloadBytes() + (long) STEP_BYTES * batch.steps().size();
    }

    private void checkBatch(Batch batch) {
        if (batch.unitOpen()) {
            throw new IllegalArgumentException("the batch has an open unit");
        }
        if (batch.largestPayloadBytes() > limits.recordMaxBytes()) {
            throw new IllegalArgumentException("a record has " + batch.largestPayloadBytes() + " bytes, at most "
                    + limits.recordMaxBytes() + " are allowed");
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }
}
