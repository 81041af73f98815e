package dev.turnstone.broker.session;

import dev.turnstone.broker.mailbox.Channel;
import dev.turnstone.broker.mailbox.Slots;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.PortLimits;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One session in the engine: takes its posts in order, and lets those with sends wait when there is no room. Made at
 * the edge, owned by the engine thread from the first post.
 */
final class SessionState {
    private final ConnectionState connection;
    private final SessionContext context;
    private final Channel channel;
    private final Slots slots;
    private final Outlet outlet;
    private final SessionWork work;
    /** Posts that wait; null before the first. */
    private @Nullable ArrayDeque<Post> held;
    /** A full queue that its first post which waits is for; null if it waits for something else, or not. */
    private @Nullable QueueState full;

    private boolean known;
    private boolean closed;

    SessionState(ConnectionState connection, SessionContext context, Channel channel, Slots slots) {
        this.connection = connection;
        this.context = context;
        this.channel = channel;
        this.slots = slots;
        this.outlet = new Outlet(context, channel);
        this.work = new SessionWork(connection.origin(), connection.access(), context, outlet);
    }

    /** What its edge may do. Any thread. */
    PortLimits limits() {
        return context.limits().port();
    }

    void accept(Post post) {
        if (closed || connection.closed()) {
            refuse(post);
            return;
        }
        introduce();
        if (full != null && post.closes()) {
            // There may never be room: what waits is refused, so that the session can end.
            refuseHeld();
        }
        if (anyHeld()) {
            held().add(post);
        } else if (mustWait(post) || !execute(post)) {
            held().add(post);
            waits();
        }
    }

    private boolean anyHeld() {
        return held != null && !held.isEmpty();
    }

    private ArrayDeque<Post> held() {
        ArrayDeque<Post> made = held;
        if (made == null) {
            made = new ArrayDeque<>(1);
            held = made;
        }
        return made;
    }

    /** So many bytes of a consumer's deliveries are taken, whatever else of the session waits. */
    void taken(int consumer, long bytes) {
        if (!closed) {
            work.taken(consumer, bytes);
        }
    }

    private void waits() {
        Post first = held().getFirst();
        Command command = first.command(first.next());
        full = work.mustWaitFor(command);
        if (full != null) {
            context.held().add(this, full);
        } else {
            Held.Cause cause = work.mustWait(command) ? null : sendsWaitFor(first);
            context.held().add(work, this, cause == null ? Held.Cause.OWN : cause);
        }
    }

    private void refuseHeld() {
        if (full != null) {
            context.held().remove(this, full);
            full = null;
        }
        while (anyHeld()) {
            refuse(held().removeFirst());
        }
    }

    private void introduce() {
        if (!known) {
            known = true;
            connection.add(this);
        }
    }

    /**
     * Why it would take no deliveries from another session, as those of a consumer of this number; null if it would.
     * CLOSED if it has ended; FORBIDDEN if it is another connection's; or as for any consumer.
     */
    @Nullable
    BrokerException refusal(Origin other, int inlet) {
        if (!connection.origin().equals(other)) {
            return new BrokerException(ErrorCode.FORBIDDEN, "the session belongs to another connection");
        }
        return closed || connection.closed() ? closedBefore() : work.refusal(inlet);
    }

    /** What it does, for another session that hands it deliveries and that it does not refuse. */
    SessionWork opened() {
        introduce();
        return work;
    }

    /**
     * Sends wait while the journal is behind, memory is full, or the disk for a while. A session that has deliveries or
     * a transaction open does not wait for memory: it may be the one that frees it. What a prepared branch will send
     * too waits for its outcome.
     */
    private boolean mustWait(Post post) {
        return mustWait(post.command(post.next())) || (post.bytes() > 0 && sendsMustWait(post));
    }

    private boolean sendsMustWait(Post post) {
        return sendsWaitFor(post) != null;
    }

    private Held.@Nullable Cause sendsWaitFor(Post post) {
        if (!context.log().accepting()) {
            return Held.Cause.JOURNAL;
        }
        if (context.memory().full() && !work.mayFreeMemory()) {
            return Held.Cause.MEMORY;
        }
        return context.disk().mustWait() && post.needsDisk() ? Held.Cause.DISK : null;
    }

    /** The sends before it in a post may have taken the room that there was. */
    private boolean mustWait(Post post, Command command) {
        boolean sends = command instanceof Command.SendMessage || command instanceof BodyCommand.Append;
        return mustWait(command) || (sends && sendsMustWait(post));
    }

    private boolean mustWait(Command command) {
        return work.mustWait(command) || work.mustWaitFor(command) != null;
    }

    /** True if its first post that waits could go on. */
    boolean canResume() {
        return anyHeld() && !mustWait(held().getFirst());
    }

    /** Goes on with posts that waited; returns how many commands it did. */
    int resume() {
        full = null;
        int commands = 0;
        while (canResume()) {
            Post post = held().removeFirst();
            commands += post.count() - post.next();
            if (!execute(post)) {
                held().addFirst(post);
            }
        }
        if (anyHeld()) {
            waits();
        }
        return commands;
    }

    /** Does its commands; false if one of them must wait, and with it those behind. */
    private boolean execute(Post post) {
        for (int i = post.next(); i < post.count(); i++) {
            Command command = post.command(i);
            if (!(command instanceof Command.SendMessage)) {
                work.endSends();
            }
            if (closed) {
                refuse(command, closedBefore());
            } else if (command instanceof Command.Close close) {
                end();
                outlet.confirm(close.completion(), 0);
            } else if (mustWait(post, command)) {
                work.endSends();
                post.doneBefore(i);
                return false;
            } else {
                execute(command);
            }
        }
        work.endSends();
        taken(post);
        return true;
    }

    private void execute(Command command) {
        try {
            command.execute(work);
        } catch (BrokerException refusal) {
            work.refused(command, refusal);
            refuse(command, refusal);
        }
    }

    private void taken(Post post) {
        channel.taken(post.count(), post.bytes());
        if (post.bytes() > 0) {
            context.mailbox().giveBack(post.bytes());
        }
    }

    private void refuse(Post post) {
        for (int i = post.next(); i < post.count(); i++) {
            refuse(post.command(i), closedBefore());
        }
        taken(post);
    }

    private void refuse(Command command, BrokerException cause) {
        Completion completion = command.completion();
        if (completion != null) {
            outlet.refuse(completion, cause);
        }
    }

    private static BrokerException closedBefore() {
        return new BrokerException(ErrorCode.CLOSED, "the session or its connection was closed");
    }

    /** What the connection may do has changed. */
    void revise() {
        work.revise();
    }

    /** Ends the session, by its own wish or with its connection. */
    void end() {
        if (closed) {
            return;
        }
        closed = true;
        work.end();
        context.held().remove(work);
        refuseHeld();
        connection.remove(this);
        slots.free();
    }
}
