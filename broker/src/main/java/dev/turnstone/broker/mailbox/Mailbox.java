package dev.turnstone.broker.mailbox;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalListener;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The engine's one ear: posts from any thread, and how far the journal is. One queue for all, so a session's order is
 * the queue's order; what keeps it short is admission: mail with sends is posted only while there is room, and each
 * session bounds what it has posted (see {@link Channel}). Only the engine sleeps, and it is woken once.
 */
public final class Mailbox implements JournalListener {
    private static final int CHUNK = 1024;

    private final MpscUnboundedAtomicArrayQueue<Mail> mails = new MpscUnboundedAtomicArrayQueue<>(CHUNK);
    private final MpscUnboundedAtomicArrayQueue<Channel> refused = new MpscUnboundedAtomicArrayQueue<>(CHUNK);
    private final AtomicLong admitted = new AtomicLong();
    private final AtomicLong durable = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong stalls = new AtomicLong();
    private final AtomicReference<@Nullable JournalException> failure = new AtomicReference<>();
    private final AtomicBoolean asleep = new AtomicBoolean();
    private final AtomicBoolean roomChanged = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final long bytesMax;
    private final Runnable wake;

    /**
     * An empty mailbox.
     *
     * @param bytesMax what may be admitted and not yet be given back, in bytes
     * @param wake called on any thread when a sleeping engine has something to do; returns at once
     */
    public Mailbox(long bytesMax, Runnable wake) {
        this.bytesMax = bytesMax;
        this.wake = wake;
    }

    /** Posts; false if the engine has stopped and will never open it. Any thread. */
    public boolean post(Mail mail) {
        if (closed.get()) {
            return false;
        }
        mails.offer(mail);
        rouse();
        return true;
    }

    /**
     * True if mail with sends may be posted. As long as there is any room a post gets in, however large: so whoever is
     * signalled that there is room does not come in vain. Any thread.
     */
    boolean hasRoom() {
        return admitted.get() < bytesMax;
    }

    /** A session was told to wait. Any thread. */
    void stalled() {
        stalls.incrementAndGet();
    }

    /** How often a session was told to wait before it posts more. Any thread. */
    public long stalls() {
        return stalls.get();
    }

    /** Takes room for that many bytes of messages until {@link #giveBack}. Any thread. */
    void admit(long bytes) {
        admitted.addAndGet(bytes);
    }

    /** Remembers a channel that was refused: it is signalled when there is room. Any thread. */
    void remember(Channel channel) {
        refused.offer(channel);
        // The engine may have made room between the refusal and here, and would not look again.
        if (hasRoom()) {
            rouse();
        }
    }

    @Override
    public void durable(long lsn) {
        raise(durable, lsn);
    }

    @Override
    public void written(long lsn) {
        raise(written, lsn);
    }

    private void raise(AtomicLong mark, long to) {
        long before = mark.get();
        while (to > before && !mark.compareAndSet(before, to)) {
            before = mark.get();
        }
        rouse();
    }

    @Override
    public void roomChanged() {
        roomChanged.set(true);
        rouse();
    }

    @Override
    public void failed(JournalException cause) {
        failure.compareAndSet(null, cause);
        rouse();
    }

    /** The next mail, or null. Engine only. */
    public @Nullable Mail poll() {
        return mails.relaxedPoll();
    }

    /** Returns room that was admitted. Engine only. */
    public void giveBack(long bytes) {
        admitted.addAndGet(-bytes);
    }

    /** Signals those who were refused, if there is room again. Engine only, once a turn. */
    public void signalRefused() {
        while (hasRoom()) {
            Channel channel = refused.poll();
            if (channel == null) {
                return;
            }
            channel.signalRoom();
        }
    }

    /** The highest LSN that the journal has reported. Any thread. */
    public long durableLsn() {
        return durable.get();
    }

    /** The highest LSN that the journal has reported as written, on the disk or not. Any thread. */
    public long writtenLsn() {
        return Math.max(written.get(), durable.get());
    }

    /** Why the journal failed, or null. Any thread. */
    public @Nullable JournalException failure() {
        return failure.get();
    }

    /**
     * Goes to sleep unless there is something to do; true means asleep: the wake hook will be called. Engine only.
     *
     * @param knownDurable the durable LSN that the engine has dealt with
     * @param knownWritten the written LSN that it has dealt with
     */
    public boolean sleep(long knownDurable, long knownWritten) {
        asleep.set(true);
        if (mails.isEmpty()
                && durable.get() == knownDurable
                && writtenLsn() == knownWritten
                && failure.get() == null
                && nobodyWaits()
                && !roomChanged.getAndSet(false)) {
            return true;
        }
        asleep.set(false);
        return false;
    }

    /** True until the wake hook is called. Engine only, after {@link #sleep} has returned true. */
    public boolean asleep() {
        return asleep.get();
    }

    private boolean nobodyWaits() {
        return refused.isEmpty() || !hasRoom();
    }

    /** Takes nothing more. What was posted before may still be polled. Engine only. */
    public void close() {
        closed.set(true);
    }

    /** True after {@link #close}. Any thread. */
    public boolean closed() {
        return closed.get();
    }

    private void rouse() {
        if (asleep.get() && asleep.compareAndSet(true, false)) {
            wake.run();
        }
    }
}
