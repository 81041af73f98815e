package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Message;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Sends a session's messages: one post each, and a wait where the API promises one. Any thread. */
final class Sender implements SessionLink.Condition {
    /** Asks for a confirmation that does not wait for the disk. */
    private static final String RELAXED = "JMS_TURNSTONE_RELAXED";

    private final SessionLink link;
    private final Callbacks callbacks;
    private final UnitOfWork work;
    private final String idPrefix;
    private final AtomicLong ids = new AtomicLong();
    /** Whether the broker took the last message; written under the lock, read by the thread that wrote it. */
    private boolean posted;
    /** Those with a refusal that no call of theirs has thrown yet; guarded by the lock. */
    private final Set<ClientProducer> lateRefused = new LinkedHashSet<>();

    /** Message ids are the prefix, which must be unique, and a count. */
    Sender(SessionLink link, Callbacks callbacks, UnitOfWork work, String idPrefix) {
        this.link = link;
        this.callbacks = callbacks;
        this.work = work;
        this.idPrefix = idPrefix;
    }

    String nextId() {
        return idPrefix + Long.toString(ids.incrementAndGet(), Character.MAX_RADIX);
    }

    /** Sends and returns when the message is safe; in a transaction, when it was handed to that. */
    void send(Prepared message) throws JMSException {
        Reply reply = Reply.toOne();
        Send send = ready(message);
        boolean alone;
        link.lockUnbroken();
        try {
            long number = work.enlist();
            alone = number == Session.NO_TRANSACTION;
            post(send, number, alone ? reply : work.refusal());
        } finally {
            link.unlock();
        }
        if (alone) {
            link.await(reply);
        } else {
            awaitPosted();
        }
    }

    /** Sends and does not wait, unless the broker takes no more; the completion hears of a refusal. */
    void sendUnconfirmed(Prepared message, Completion failure) throws JMSException {
        Send send = ready(message);
        link.lockUnbroken();
        try {
            long number = work.enlist();
            post(send, number, number == Session.NO_TRANSACTION ? failure : work.refusal());
            link.drainIfUnattended();
        } finally {
            link.unlock();
        }
        awaitPosted();
    }

    /**
     * Sends and returns; the listener is called once the message is as safe as {@link #send} makes it, and not at all
     * if this throws (Jakarta Messaging 3.1 §7.3).
     */
    void sendAsync(Prepared message, ClientProducer producer, jakarta.jms.Message original, CompletionListener listener)
            throws JMSException {
        Send send = ready(message);
        link.lockUnbroken();
        try {
            Callbacks.AsyncSend callback = callbacks.prepare(producer, original, listener);
            post(send, work.enlist(), callback);
            callbacks.expect(callback);
        } finally {
            link.unlock();
        }
        if (!posted) {
            // If the broker ends meanwhile, it is the listener that is told.
            link.awaitLocal(() -> met() || link.isBroken());
        }
    }

    /** Under the lock: a message that this producer did not wait for was refused. */
    void refusedLate(ClientProducer producer) {
        lateRefused.add(producer);
    }

    /** The session ends: throws the first late refusal that no producer's call has thrown. Not under the lock. */
    void checkNoneRefused() throws JMSException {
        List<ClientProducer> producers;
        link.lock();
        try {
            producers = List.copyOf(lateRefused);
        } finally {
            link.unlock();
        }
        for (ClientProducer producer : producers) {
            producer.checkNotRefused();
        }
    }

    /**
     * The command for a message, with its body stored if that is a large one, which takes as long as it takes. Fails if
     * a property of the message asks for what there is not. Not under the lock.
     */
    private Send ready(Prepared prepared) throws JMSException {
        Message message = prepared.message();
        DedupId dedup = dedupId(message);
        boolean relaxed = Values.toBoolean(message.property(RELAXED));
        InputStream body = prepared.body();
        long number = body == null ? 0 : link.bodies().store(body, message.persistent());
        return new Send(message, Session.NO_TRANSACTION, dedup, List.of(), relaxed, number);
    }

    private void post(Send send, long transaction, Completion completion) throws JMSException {
        try {
            link.port().send(send.in(transaction), completion);
            if (send.body() != 0) {
                // The message has it now, or nobody.
                link.port().bodies().close(send.body());
            }
        } catch (BrokerException e) {
            throw Errors.of(e);
        }
        link.port().flush();
        posted = link.port().writable();
    }

    private static @Nullable DedupId dedupId(Message message) throws JMSException {
        Object id = message.property(DedupId.PROPERTY);
        if (id == null) {
            return null;
        }
        if (id instanceof String text && !text.isEmpty()) {
            return DedupId.of(text);
        }
        throw new MessageFormatException(
                "the property " + DedupId.PROPERTY + " must be a string that is not empty, not '" + id + "'");
    }

    /** What the broker has not taken yet must not be left behind: nobody might come who would post it. */
    private void awaitPosted() throws JMSException {
        if (!posted) {
            link.await(this, SessionLink.FOREVER);
        }
    }

    /** The broker takes messages from this session. */
    @Override
    public boolean met() {
        return link.port().writable();
    }
}
