package dev.turnstone.jms;

import dev.turnstone.port.Subscribe;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows what waits in a queue (Jakarta Messaging 3.1 §6.2.9): each enumeration what waits when it is asked for. The
 * session's thread.
 */
final class ClientBrowser implements QueueBrowser {
    private final SessionCore session;
    private final TurnstoneDestination queue;
    private final @Nullable String selector;
    private final List<BrowsedMessages> enumerations = new ArrayList<>();
    private boolean closed;

    private ClientBrowser(SessionCore session, TurnstoneDestination queue, @Nullable String selector) {
        this.session = session;
        this.queue = queue;
        this.selector = selector;
    }

    /** Fails as the first enumeration would, if the queue cannot be browsed or the selector is wrong. */
    static ClientBrowser of(SessionCore session, TurnstoneDestination queue, @Nullable String selector)
            throws JMSException {
        ClientBrowser browser = new ClientBrowser(session, queue, SessionCore.condition(selector));
        browser.begin().close();
        return browser;
    }

    private BrowsedMessages begin() throws JMSException {
        Inbox inbox = session.newInbox();
        session.subscribe(Subscribe.browse(inbox.consumer(), queue.address(), selector));
        return new BrowsedMessages(session, inbox);
    }

    private void checkOpen() throws JMSException {
        session.checkOpen();
        if (closed) {
            throw Errors.closed("browser");
        }
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return (Queue) queue;
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return selector;
    }

    @Override
    public Enumeration<Message> getEnumeration() throws JMSException {
        checkOpen();
        enumerations.removeIf(BrowsedMessages::isOver);
        BrowsedMessages enumeration = begin();
        enumerations.add(enumeration);
        return enumeration;
    }

    @Override
    public void close() throws JMSException {
        closed = true;
        for (BrowsedMessages enumeration : enumerations) {
            enumeration.close();
        }
        enumerations.clear();
    }
}
