package dev.turnstone.transport.vertx;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import org.jspecify.annotations.Nullable;

/**
 * Moves what a port session receives to the socket, and holds back whoever is too fast: a peer that does not read gets
 * no more deliveries (they stay in the broker, within its consumers' credit), a peer whose commands the broker does not
 * take is not read. On the connection's event loop only.
 */
public final class SessionPump implements SessionListener {
    /** A write of about this many bytes is large enough: more would only be held longer. */
    private static final int WRITE_BYTES = 64 * 1024;
    /** Events taken at once as long as they are small. */
    private static final int EVENTS_MAX = 64;
    /** Writes after which other connections of the event loop get their turn. */
    private static final int WRITES_A_TURN = 16;

    private final Wire wire;
    private final SessionOutput output;
    private final Session session;
    /** Null before the first body that is stored apart. */
    private @Nullable WholeBodies bodies;

    private boolean pumping;
    private boolean stopped;

    /** Opens a session of the connection and pumps it from then on. */
    public SessionPump(Wire wire, Connection connection, SessionOutput output) {
        this.wire = wire;
        this.output = output;
        this.session = connection.openSession(this::wake);
    }

    private void wake() {
        wire.execute(this::pump);
    }

    /** The session. */
    public Session session() {
        return session;
    }

    /**
     * Takes what is due, writes it, posts what the answers asked for, and reads on or not. Also called when the socket
     * takes more again.
     */
    public void pump() {
        if (pumping || stopped) {
            return;
        }
        pumping = true;
        try {
            moveEvents();
        } finally {
            pumping = false;
        }
        post();
    }

    /** Posts what one read of the socket has asked for, once, and pauses the socket if the broker takes no more. */
    public void post() {
        if (stopped || pumping) {
            return;
        }
        output.write();
        session.flush();
        // A peer that does not read its confirmations must not make more of them.
        if (session.writable() && !wire.full() && output.wantsMore()) {
            wire.resume();
        } else {
            wire.pause();
        }
    }

    /** Ends the pumping; the session is someone else's to close. */
    public void stop() {
        stopped = true;
    }

    private void moveEvents() {
        int writes = 0;
        int step = 1;
        while (!stopped && !wire.full()) {
            int before = output.size();
            int events = session.drain(this, step);
            if (events < step) {
                return;
            }
            step = nextStep(step, (output.size() - before) / step);
            if (output.size() >= WRITE_BYTES) {
                output.write();
                writes++;
            }
            if (writes == WRITES_A_TURN) {
                wire.execute(this::pump);
                return;
            }
        }
    }

    @Override
    public void delivery(Delivery delivery) {
        if (bodies == null && delivery.message().hasStoredBody()) {
            bodies = new WholeBodies(session, output, wire.wholeBytesMax());
        }
        behindBodies().delivery(delivery);
    }

    @Override
    public void browseEnded(int consumer) {
        behindBodies().browseEnded(consumer);
    }

    @Override
    public void queueFound(int watch, Address queue) {
        behindBodies().queueFound(watch, queue);
    }

    @Override
    public void consumerClosed(int consumer, BrokerException cause) {
        behindBodies().consumerClosed(consumer, cause);
    }

    /** Nothing overtakes a body that is being read. */
    private SessionListener behindBodies() {
        return bodies == null ? output : bodies;
    }

    /** Doubles the step up to the limit, but only so far that as many events of this size stay within one write. */
    private int nextStep(int step, int eventBytes) {
        int fitting = Math.max(0, WRITE_BYTES - output.size()) / Math.max(1, eventBytes);
        return Math.max(1, Math.min(Math.min(EVENTS_MAX, 2 * step), fitting));
    }
}
