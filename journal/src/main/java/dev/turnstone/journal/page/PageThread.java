package dev.turnstone.journal.page;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.thread.FolderThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One thread of the page files. It does what it was told in order, as much as there is with one sync of the folder. */
final class PageThread {
    /** What it can be told. */
    sealed interface Job permits Write, Read, Delete, Wait, End {}

    record Write(long id, Payload content, boolean durable) implements Job {}

    record Read(long id) implements Job {}

    record Delete(long id) implements Job {}

    private record Wait(CountDownLatch done) implements Job {}

    private record End() implements Job {}

    private static final int GROUP_MAX = 64;
    /** How often whoever waits looks whether the thread has failed. */
    private static final int LOOK_MS = 50;

    private final LinkedBlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
    private final PageFolder folder;
    private final PageListener listener;
    private final Thread thread;
    private boolean started;

    PageThread(String name, PageFolder folder, PageListener listener) {
        this.folder = folder;
        this.listener = listener;
        this.thread = FolderThread.of(name, folder.path(), this::run);
    }

    /** The caller's thread only; the first job starts the thread. */
    void take(Job job) {
        jobs.add(job);
        if (!started) {
            started = true;
            thread.start();
        }
    }

    /** Returns when it has done what it was told so far, or has failed. The caller's thread only. */
    void await() {
        if (started) {
            CountDownLatch done = new CountDownLatch(1);
            jobs.add(new Wait(done));
            boolean interrupted = false;
            while (thread.isAlive() && done.getCount() > 0) {
                try {
                    if (done.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                        break;
                    }
                } catch (InterruptedException e) {
                    interrupted = true; // What was asked for must be known to be done in any case.
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends it after what it was told so far, and waits for that. The caller's thread only. */
    void finish() {
        jobs.add(new End());
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // The folder must be at rest in any case.
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        List<Job> group = new ArrayList<>();
        try {
            while (!group.contains(new End())) {
                group.clear();
                group.add(jobs.take());
                jobs.drainTo(group, GROUP_MAX);
                work(group);
            }
        } catch (JournalException e) {
            listener.failed(e);
        } catch (IOException | RuntimeException | Error e) {
            listener.failed(new JournalException(Kind.IO, "a page file in " + folder + " failed: " + e, e));
        } catch (InterruptedException e) {
            listener.failed(new JournalException(Kind.IO, "the thread of the page files was interrupted", e));
        }
    }

    private void work(List<Job> group) throws IOException {
        boolean durable = false;
        for (Job job : group) {
            if (job instanceof Write write) {
                folder.write(write.id(), write.content(), write.durable());
                durable |= write.durable();
            } else if (job instanceof Delete delete) {
                folder.delete(delete.id());
            } else if (job instanceof Read read) {
                listener.read(read.id(), folder.read(read.id()));
            }
        }
        if (durable) {
            folder.sync();
        }
        for (Job job : group) {
            if (job instanceof Write write) {
                listener.written(write.id());
            } else if (job instanceof Wait wait) {
                wait.done().countDown();
            }
        }
    }
}
