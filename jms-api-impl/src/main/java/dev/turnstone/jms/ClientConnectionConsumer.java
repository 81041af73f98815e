package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.HandOver;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Settle;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import java.util.concurrent.TimeUnit;

/**
 * Hands what its consumer gets to server sessions (Jakarta Messaging 3.1 §11.2): a thread of its own asks the pool for
 * one when there is a message, moves up to so many deliveries to its session, and starts it. Any thread.
 */
final class ClientConnectionConsumer implements ConnectionConsumer {
    /** After a pool has failed, it is asked again, but not at once. */
    private static final long RETRY_MS = 1_000;

    private final ClientConnection connection;
    private final ServerSessionPool pool;
    private final int messagesMax;
    private final SessionCore session;
    private final SessionLink link;
    private final Inbox inbox;
    private volatile boolean closed;

    /** The consumer is one of this session, which has nothing else to do. */
    ClientConnectionConsumer(
            ClientConnection connection,
            SessionCore session,
            ClientConsumer consumer,
            ServerSessionPool pool,
            int messagesMax) {
        this.connection = connection;
        this.session = session;
        this.link = session.link();
        this.inbox = consumer.inbox();
        this.pool = pool;
        this.messagesMax = messagesMax;
    }

    /** Begins to hand over. */
    ClientConnectionConsumer start(String threadName) {
        Daemon.start(threadName, link.labels(), this::run);
        return this;
    }

    @Override
    public ServerSessionPool getServerSessionPool() throws JMSException {
        session.checkOpen();
        return pool;
    }

    @Override
    public void close() throws JMSException {
        closed = true;
        session.close();
    }

    private boolean isOver() {
        return closed || session.isEnding();
    }

    private boolean isDue() throws JMSException {
        return isOver() || inbox.ended() != null || session.deliveries().mayCall(inbox);
    }

    /** Ends with the consumer, whoever ends that. */
    private void run() {
        while (!isOver() && !link.isBroken()) {
            try {
                link.await(this::isDue, SessionLink.FOREVER);
                BrokerException ended = inbox.ended();
                if (ended != null && !isOver()) {
                    session.report(Errors.of(ended));
                    return;
                } else if (!isOver()) {
                    serve(pool.getServerSession());
                }
            } catch (JMSException e) {
                rest(e);
            } catch (RuntimeException e) {
                rest(Errors.unexpected(e));
            }
        }
    }

    private void rest(JMSException failure) {
        if (isOver() || link.isBroken()) {
            return;
        }
        session.report(failure);
        try {
            link.await(this::isOver, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RETRY_MS));
        } catch (JMSException e) {
            session.report(e);
        }
    }

    /** A server session that was taken out of the pool is started, even with nothing to do, so that it goes back. */
    private void serve(ServerSession server) throws JMSException {
        if (!(server.getSession() instanceof ClientSession target)) {
            throw Errors.illegal("the server session's session is another provider's: " + server.getSession());
        }
        try {
            load(target.serverWork(connection));
        } finally {
            server.start();
        }
    }

    private void load(ServerWork work) throws JMSException {
        Inbox inlet = work.prepare();
        Reply reply = Reply.toOne();
        long[] range;
        link.lock();
        try {
            range = isOver() || link.isBroken() ? null : session.deliveries().pass(inbox, messagesMax);
            if (range != null) {
                link.port()
                        .handOver(
                                new HandOver(inbox.consumer(), range[0], range[1], work.port(), inlet.consumer()),
                                reply);
                link.port().flush();
            }
        } finally {
            link.unlock();
        }
        if (range == null) {
            work.discard(inlet);
            return;
        }
        try {
            link.await(reply);
        } catch (JMSException e) {
            work.discard(inlet);
            giveBack(range);
            throw e;
        }
        work.loaded(inlet);
    }

    private void giveBack(long[] range) {
        link.lock();
        try {
            if (!link.isBroken()) {
                Settle released = new Settle(
                        inbox.consumer(),
                        range[0],
                        range[1],
                        Outcome.RELEASED,
                        dev.turnstone.port.Session.NO_TRANSACTION);
                link.port().settle(released, session.unheard());
                link.port().flush();
            }
        } finally {
            link.unlock();
        }
    }
}
