package dev.turnstone.broker.mailbox;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * What passes between one session's edge and the engine: posts and how much room there is for them, one way; events and
 * the wake-up, the other. The events are bounded by credit and by the posted commands, which both have limits.
 */
public final class Channel {
    private static final Logger LOG = LoggerFactory.getLogger(Channel.class);
    private static final int NO = 0;
    private static final int YES = 1;
    private static final AtomicIntegerFieldUpdater<Channel> SIGNALLED = flag("signalled");
    private static final AtomicIntegerFieldUpdater<Channel> BLOCKED = flag("blocked");
    private static final AtomicIntegerFieldUpdater<Channel> REMEMBERED = flag("remembered");

    private final Events events = new Events();
    /** The edge was woken and has not yet found the channel empty. */
    private volatile int signalled;
    /** The edge waits for the engine to take what the session has posted. */
    private volatile int blocked;
    /** The mailbox has this channel among those that it refused. */
    private volatile int remembered;

    private final String connection;
    private final Mailbox mailbox;
    private final Runnable wakeup;
    private final Room room;
    /** Edge only: it was told that there is no room, and not yet that there is. */
    private boolean awaitsRoom;

    private static AtomicIntegerFieldUpdater<Channel> flag(String field) {
        return AtomicIntegerFieldUpdater.newUpdater(Channel.class, field);
    }

    /**
     * A quiet channel.
     *
     * @param connection the name of the connection that the session is of
     * @param wakeup called once until {@link #next} has found nothing: by the engine, or within {@link #next}
     * @param limits what the session may have posted and the engine not taken
     */
    public Channel(String connection, Mailbox mailbox, Runnable wakeup, PostLimits limits) {
        this.connection = connection;
        this.mailbox = mailbox;
        this.wakeup = wakeup;
        this.room = new Room(limits);
    }

    /**
     * Posts a batch, if the session's and the mailbox's limits allow it; else the channel is signalled when they do.
     * Edge only.
     *
     * @param bytes the bytes of the batch's messages, 0 for none: settles, credit and closing are never refused
     */
    public boolean post(Mail mail, int commands, long bytes) {
        if (bytes > 0) {
            if (!writable()) {
                mailbox.stalled();
                return false;
            }
            mailbox.admit(bytes);
        }
        room.posted(commands, bytes);
        mailbox.post(mail);
        return true;
    }

    /** Posts mail that nothing waits for and that waits for nothing. Edge only. */
    public void tell(Mail mail) {
        mailbox.post(mail);
    }

    /** True if there is room for a post with sends; if not, the channel is signalled when there is. Edge only. */
    public boolean writable() {
        // Whoever has to make room is told that somebody waits, and then asked again: it may have made it just before.
        while (true) {
            if (!room.any()) {
                awaitsRoom = true;
                blocked = YES;
                if (!room.any()) {
                    return false;
                }
            } else if (!mailbox.hasRoom()) {
                awaitsRoom = true;
                if (remembered == NO && REMEMBERED.compareAndSet(this, NO, YES)) {
                    mailbox.remember(this);
                }
                if (!mailbox.hasRoom()) {
                    return false;
                }
            } else {
                return true;
            }
        }
    }

    /** Says that a post was dealt with. Engine only. */
    public void taken(int commands, long bytes) {
        room.taken(commands, bytes);
        if (blocked == YES && BLOCKED.compareAndSet(this, YES, NO)) {
            signal();
        }
    }

    /** The mailbox has room again. Engine only. */
    void signalRoom() {
        remembered = NO;
        signal();
    }

    /** Adds an event; {@link #signal} follows when there are no more. Engine only. */
    public void add(Object event) {
        events.add(event);
    }

    /** Wakes the edge, unless it was woken and has not yet found the channel empty. */
    public void signal() {
        // The edge says that it sleeps and looks once more; what was added must be seen by that look, or the sleep
        // here.
        VarHandle.fullFence();
        if (signalled == NO && SIGNALLED.compareAndSet(this, NO, YES)) {
            try {
                wakeup.run();
            } catch (RuntimeException e) {
                // Its owner's thread or event loop has ended; that is no reason for the engine to.
                String before = MDC.get("connection");
                MDC.put("connection", connection);
                LOG.warn("A session's wake-up failed; its connection is about to end, or its edge is broken", e);
                if (before == null) {
                    MDC.remove("connection");
                } else {
                    MDC.put("connection", before);
                }
            }
        }
    }

    /** The next event, or null: then, and only then, the wake-up will be called for the next. Edge only. */
    public @Nullable Object next() {
        Object event = events.next();
        if (event == null) {
            signalled = NO;
            // What came between the poll and the reset found the flag set and woke nobody: an event, or room.
            event = events.next();
            if (event != null) {
                signalled = YES;
            } else if (awaitsRoom && writable()) {
                awaitsRoom = false;
                signal();
            }
        }
        return event;
    }
}
