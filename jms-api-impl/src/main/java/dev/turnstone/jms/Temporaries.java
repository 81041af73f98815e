package dev.turnstone.jms;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Session;
import jakarta.jms.JMSException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes and deletes a connection's temporary destinations. They outlive the session that asked for them, so there is a
 * port session for them alone, opened with the first. Any thread.
 */
final class Temporaries {
    private final ClientConnection connection;
    private final AtomicInteger made = new AtomicInteger();
    private @Nullable SessionLink link;
    private volatile @Nullable BrokerException failure;

    Temporaries(ClientConnection connection) {
        this.connection = connection;
    }

    ClientTemporaryQueue queue() throws JMSException {
        return new ClientTemporaryQueue(declare(AddressKind.QUEUE), this);
    }

    ClientTemporaryTopic topic() throws JMSException {
        return new ClientTemporaryTopic(declare(AddressKind.TOPIC), this);
    }

    private Address declare(AddressKind kind) throws JMSException {
        String local = Integer.toString(made.incrementAndGet());
        Address address = Address.temporary(kind, connection.port().id(), local);
        request((port, reply) -> port.declareTemporary(address, reply));
        return address;
    }

    /**
     * Deletes what this owner has made, if it is known.
     *
     * @throws JMSException while it has a consumer, or if it was not made here
     */
    static void delete(@Nullable Temporaries owner, Address temporary) throws JMSException {
        if (owner == null) {
            throw Errors.illegal("only through the object that made it can the temporary " + temporary + " be deleted");
        }
        owner.request((port, reply) -> port.deleteTemporary(temporary, reply));
    }

    private void request(BiConsumer<Session, Completion> command) throws JMSException {
        link().request(command);
    }

    private synchronized SessionLink link() throws JMSException {
        SessionLink opened = link;
        if (opened == null) {
            try {
                opened = new SessionLink(connection.port(), connection.labels());
            } catch (BrokerException e) {
                throw Errors.of(e);
            }
            link = opened;
            BrokerException cause = failure;
            if (cause != null) {
                opened.fail(cause);
            }
        }
        return opened;
    }

    /** Why the connection has ended, or null; whoever can be seen by then is told by itself. Any thread. */
    @Nullable
    BrokerException failure() {
        return failure;
    }

    /** The connection has ended, and with it all that was made here. */
    synchronized void fail(BrokerException cause) {
        failure = cause;
        if (link != null) {
            link.fail(cause);
        }
    }
}
