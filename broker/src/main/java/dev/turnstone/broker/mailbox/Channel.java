package dev.turnstone.broker.mailbox;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.atomic.SpscUnboundedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What passes between one session's edge and the engine: how much is posted and not yet taken, one way; events and the
 * wake-up, the other. The events are bounded by credit and by the posted commands, which both have limits.
 */
public final class Channel {
    private static final Logger LOG = LoggerFactory.getLogger(Channel.class);
    private static final int CHUNK = 32;

    private final SpscUnboundedAtomicArrayQueue<Object> events = new SpscUnboundedAtomicArrayQueue<>(CHUNK);
    private final AtomicBoolean signalled = new AtomicBoolean();
    private final AtomicBoolean blocked = new AtomicBoolean();
    private final AtomicLong takenCommands = new AtomicLong();
    private final AtomicLong takenBytes = new AtomicLong();
    private final Runnable wakeup;
    private final long commandsMax;
    private final long bytesMax;
    // Edge only: the running sums of what was posted.
    private long postedCommands;
    private long postedBytes;

    /**
     * A quiet channel.
     *
     * @param wakeup called by the engine once until {@link #next} has found nothing
     */
    public Channel(Runnable wakeup, long commandsMax, long bytesMax) {
        this.wakeup = wakeup;
        this.commandsMax = commandsMax;
        this.bytesMax = bytesMax;
    }

    /**
     * Posts a batch, if the session's and the mailbox's limits allow it; else the channel is signalled when they do.
     * Edge only.
     *
     * @param bytes the bytes of the batch's messages, 0 for none: settles, credit and closing are never refused
     */
    public boolean post(Mailbox mailbox, Mail mail, int commands, long bytes) {
        if (bytes > 0 && !admitted(mailbox, bytes)) {
            return false;
        }
        postedCommands += commands;
        postedBytes += bytes;
        mailbox.post(mail);
        return true;
    }

    private boolean admitted(Mailbox mailbox, long bytes) {
        if (!writable()) {
            return false;
        }
        if (!mailbox.admit(bytes)) {
            mailbox.remember(this);
            return false;
        }
        return true;
    }

    /** True if this session has posted less than its limits; if not, it is signalled when it has. Edge only. */
    public boolean writable() {
        if (hasRoom()) {
            return true;
        }
        blocked.set(true);
        // The engine may have taken everything before it could see the flag.
        return hasRoom();
    }

    private boolean hasRoom() {
        return postedCommands - takenCommands.get() < commandsMax && postedBytes - takenBytes.get() < bytesMax;
    }

    /** Says that a post was dealt with. Engine only. */
    public void taken(int commands, long bytes) {
        takenCommands.lazySet(takenCommands.get() + commands);
        takenBytes.set(takenBytes.get() + bytes);
        if (blocked.get() && blocked.compareAndSet(true, false)) {
            signal();
        }
    }

    /** Adds an event; {@link #signal} follows when there are no more. Engine only. */
    public void add(Object event) {
        events.offer(event);
    }

    /** Wakes the edge, unless it was woken and has not yet found the channel empty. Engine only. */
    public void signal() {
        if (!signalled.get() && signalled.compareAndSet(false, true)) {
            try {
                wakeup.run();
            } catch (RuntimeException e) {
                // Its owner's thread or event loop has ended; that is no reason for the engine to.
                LOG.warn("A session's wake-up failed; its connection is about to end, or its edge is broken", e);
            }
        }
    }

    /** The next event, or null: then, and only then, the wake-up will be called for the next. Edge only. */
    public @Nullable Object next() {
        Object event = events.poll();
        if (event == null) {
            signalled.set(false);
            // An event that came between the poll and the reset found the flag set and woke nobody.
            event = events.poll();
            if (event != null) {
                signalled.set(true);
            }
        }
        return event;
    }
}
