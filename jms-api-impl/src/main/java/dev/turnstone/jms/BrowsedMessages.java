package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Enumeration;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One look through a queue. Its port consumer ends when the last message was shown, or with the browser. The session's
 * thread; a failure of the broker is a JMSRuntimeException.
 */
@SuppressWarnings("JdkObsolete") // the API wants an Enumeration
final class BrowsedMessages implements Enumeration<Message>, SessionLink.Condition {
    private final SessionCore session;
    private final SessionLink link;
    private final Inbox inbox;
    private @Nullable Delivery next;
    private boolean over;

    BrowsedMessages(SessionCore session, Inbox inbox) {
        this.session = session;
        this.link = session.link();
        this.inbox = inbox;
        link.lock();
        try {
            link.attach(inbox);
        } finally {
            link.unlock();
        }
    }

    /** Whether there is nothing left of it at the broker. */
    boolean isOver() {
        return over;
    }

    @Override
    public boolean met() {
        if (next == null && !over) {
            giveCredit();
            if (!inbox.isEmpty()) {
                next = inbox.skip();
                link.bodies().keep(next.message());
                link.port().flush();
            }
        }
        return next != null || over || inbox.browsed() || session.isClosed();
    }

    private void giveCredit() {
        link.tellTaken(inbox);
        int credit = inbox.creditDue();
        if (credit > 0) {
            link.port().credit(inbox.consumer(), credit);
            link.port().flush();
        }
    }

    @Override
    public boolean hasMoreElements() {
        return Unchecked.get(() -> {
            link.await(this, SessionLink.FOREVER);
            if (next == null) {
                close();
                checkNotEnded();
            }
            return next != null;
        });
    }

    /** What the broker did not show to its end must not look like it. */
    private void checkNotEnded() throws JMSException {
        BrokerException cause = inbox.ended();
        if (cause != null) {
            throw Errors.of(cause);
        }
    }

    @Override
    public Message nextElement() {
        if (!hasMoreElements()) {
            throw new NoSuchElementException("the browser has shown all messages");
        }
        Message message = session.show(Objects.requireNonNull(next));
        next = null;
        return message;
    }

    /** Shows nothing more. */
    void close() throws JMSException {
        if (over) {
            return;
        }
        over = true;
        next = null;
        Reply reply = Reply.toMany();
        link.lock();
        try {
            link.detach(inbox);
            if (inbox.ended() == null && !session.isClosed() && !link.isBroken()) {
                link.port().unsubscribe(inbox.consumer(), inbox.lastSeen(), reply.another());
                link.port().flush();
            }
        } finally {
            link.unlock();
        }
        link.await(reply);
    }
}
