package dev.turnstone.jms;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.MessageBuilder;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A producer with a destination, or with one for each send. The session's thread.
 *
 * <p>A persistent message is sent when it is safe. A non-persistent one does not wait, but for the first to an address,
 * which tells whether we may send there; a later refusal is thrown by the next send, or by close, of this or the
 * session.
 */
final class ClientProducer implements QueueSender, TopicPublisher {
    /** A property that asks for a refusal if nobody gets the message. */
    private static final String MANDATORY = "JMS_TURNSTONE_MANDATORY";
    /** A property that asks the topic to retain the message. */
    private static final String RETAIN = "JMS_TURNSTONE_RETAIN";

    private static final Logger LOG = LoggerFactory.getLogger(ClientProducer.class);

    private final SessionCore session;
    private final @Nullable TurnstoneDestination destination;
    private final SendOptions options = new SendOptions();
    private final Completion lateRefusal = Completion.onFailure(this::refuseLate);
    private @Nullable Address proven;
    private volatile @Nullable BrokerException refused;
    private volatile boolean unconfirmed;
    private volatile boolean closed;
    /** What close waits for has come. */
    private volatile boolean ended;

    private int openSends;

    ClientProducer(SessionCore session, @Nullable TurnstoneDestination destination) {
        this.session = session;
        this.destination = destination;
    }

    /** Under the lock. */
    void countOpenSends(int more) {
        openSends += more;
    }

    /** Under the lock: asynchronous sends whose callback has not returned. */
    int openSends() {
        return openSends;
    }

    private void refuseLate(BrokerException cause) {
        LOG.warn("a non-persistent message was refused: {}", cause.getMessage());
        refused = cause;
        session.sender().refusedLate(this);
    }

    /** Throws a late refusal, once. */
    void checkNotRefused() throws JMSException {
        BrokerException cause = refused;
        if (cause != null) {
            refused = null;
            throw Errors.of(new BrokerException(
                    cause.code(), "an earlier non-persistent message was refused: " + cause.getMessage(), cause));
        }
    }

    private void checkOpen() throws IllegalStateException {
        if (closed) {
            throw Errors.closed("producer");
        }
        session.checkOpen();
    }

    SendOptions options() {
        return options;
    }

    @Override
    public void send(@Nullable Message message) throws JMSException {
        send(own(), message, options.deliveryMode(), options.priority(), options.timeToLiveMs());
    }

    @Override
    public void send(@Nullable Message message, int deliveryMode, int priority, long timeToLive) throws JMSException {
        send(own(), message, deliveryMode, priority, timeToLive);
    }

    @Override
    public void send(@Nullable Destination to, @Nullable Message message) throws JMSException {
        send(other(to), message, options.deliveryMode(), options.priority(), options.timeToLiveMs());
    }

    @Override
    public void send(@Nullable Destination to, @Nullable Message message, int deliveryMode, int priority, long ttl)
            throws JMSException {
        send(other(to), message, deliveryMode, priority, ttl);
    }

    @Override
    public void send(@Nullable Message message, @Nullable CompletionListener listener) throws JMSException {
        send(message, options.deliveryMode(), options.priority(), options.timeToLiveMs(), listener);
    }

    @Override
    public void send(
            @Nullable Message message, int deliveryMode, int priority, long ttl, @Nullable CompletionListener listener)
            throws JMSException {
        sendAsync(own(), message, deliveryMode, priority, ttl, listener);
    }

    @Override
    public void send(@Nullable Destination to, @Nullable Message message, @Nullable CompletionListener listener)
            throws JMSException {
        sendAsync(other(to), message, options.deliveryMode(), options.priority(), options.timeToLiveMs(), listener);
    }

    @Override
    public void send(
            @Nullable Destination to,
            @Nullable Message message,
            int deliveryMode,
            int priority,
            long timeToLive,
            @Nullable CompletionListener listener)
            throws JMSException {
        sendAsync(other(to), message, deliveryMode, priority, timeToLive, listener);
    }

    @Override
    public void send(@Nullable Queue queue, @Nullable Message message) throws JMSException {
        send((Destination) queue, message);
    }

    @Override
    public void send(@Nullable Queue queue, @Nullable Message message, int deliveryMode, int priority, long ttl)
            throws JMSException {
        send((Destination) queue, message, deliveryMode, priority, ttl);
    }

    @Override
    public void publish(@Nullable Message message) throws JMSException {
        send(message);
    }

    @Override
    public void publish(@Nullable Message message, int deliveryMode, int priority, long ttl) throws JMSException {
        send(message, deliveryMode, priority, ttl);
    }

    @Override
    public void publish(@Nullable Topic topic, @Nullable Message message) throws JMSException {
        send((Destination) topic, message);
    }

    @Override
    public void publish(@Nullable Topic topic, @Nullable Message message, int deliveryMode, int priority, long ttl)
            throws JMSException {
        send((Destination) topic, message, deliveryMode, priority, ttl);
    }

    private TurnstoneDestination own() throws IllegalStateException {
        checkOpen();
        if (destination == null) {
            throw new UnsupportedOperationException("this producer needs a destination for each send (§7.1)");
        }
        return destination;
    }

    private TurnstoneDestination other(@Nullable Destination to) throws JMSException {
        checkOpen();
        if (destination != null) {
            throw new UnsupportedOperationException("this producer sends to " + destination + " alone (§7.1)");
        }
        return TurnstoneDestination.target(to);
    }

    private void send(TurnstoneDestination to, @Nullable Message message, int deliveryMode, int priority, long ttl)
            throws JMSException {
        Prepared prepared = prepare(to, message, deliveryMode, priority, ttl);
        dev.turnstone.port.Message canonical = prepared.message();
        if (canonical.persistent() || !canonical.address().equals(proven)) {
            session.sender().send(prepared);
            proven = canonical.address();
        } else {
            unconfirmed = true;
            session.sender().sendUnconfirmed(prepared, lateRefusal);
        }
    }

    private void sendAsync(
            TurnstoneDestination to,
            @Nullable Message message,
            int deliveryMode,
            int priority,
            long ttl,
            @Nullable CompletionListener listener)
            throws JMSException {
        if (listener == null) {
            throw new IllegalArgumentException("an asynchronous send needs a completion listener");
        }
        Prepared prepared = prepare(to, message, deliveryMode, priority, ttl);
        session.sender().sendAsync(prepared, this, Objects.requireNonNull(message), listener);
    }

    private Prepared prepare(
            TurnstoneDestination to, @Nullable Message message, int deliveryMode, int priority, long ttl)
            throws JMSException {
        checkNotRefused();
        if (message == null) {
            throw new MessageFormatException("there is no message to send");
        }
        SendOptions.checkDeliveryMode(deliveryMode);
        SendOptions.checkPriority(priority);
        SendOptions.checkTimeToLive(ttl);
        ClientMessage ours = Messages.ours(message);
        stamp(ours.headers(), to, deliveryMode, priority, ttl);
        if (ours != message) {
            showOn(message, ours.headers());
        }
        return canonical(ours);
    }

    private void stamp(Headers headers, TurnstoneDestination to, int deliveryMode, int priority, long ttl) {
        long now = System.currentTimeMillis();
        headers.messageId = options.withoutId() ? null : session.sender().nextId();
        headers.timestamp = options.withoutTimestamp() ? 0 : now;
        // A delay beyond the end of time lasts until then.
        headers.deliveryTime = later(now, options.deliveryDelayMs(), Long.MAX_VALUE);
        // A time to live beyond the end of time is none.
        headers.expiration = ttl == 0 ? 0 : later(now, ttl, 0);
        headers.destination = to;
        headers.deliveryMode = deliveryMode;
        headers.priority = priority;
    }

    private static long later(long now, long ms, long ifBeyond) {
        return now + ms < 0 ? ifBeyond : now + ms;
    }

    /** What the send has set must be seen on another provider's message too (§3.12). */
    private static void showOn(Message foreign, Headers headers) throws JMSException {
        foreign.setJMSDestination(headers.destination);
        foreign.setJMSMessageID(headers.messageId);
        foreign.setJMSTimestamp(headers.timestamp);
        foreign.setJMSDeliveryTime(headers.deliveryTime);
        foreign.setJMSExpiration(headers.expiration);
        foreign.setJMSDeliveryMode(headers.deliveryMode);
        foreign.setJMSPriority(headers.priority);
    }

    /** Without a delay the receiver takes the timestamp for it (§3.4.13), if there is one. */
    private boolean hasOwnDeliveryTime(Headers headers) {
        return options.deliveryDelayMs() != 0 || headers.timestamp == 0;
    }

    private Prepared canonical(ClientMessage message) throws JMSException {
        Headers headers = message.headers();
        try {
            MessageBuilder builder = MessageBuilder.to(
                            Objects.requireNonNull(headers.destination).address())
                    .id(headers.messageId)
                    .persistent(headers.deliveryMode == DeliveryMode.PERSISTENT)
                    .priority(headers.priority)
                    .timestampMs(headers.timestamp)
                    .expiryMs(headers.expiration)
                    .deliveryTimeMs(hasOwnDeliveryTime(headers) ? headers.deliveryTime : 0);
            message.encode(builder);
            if (message.propertyExists(RETAIN)) {
                builder.retain(message.getBooleanProperty(RETAIN));
            }
            if (message.propertyExists(MANDATORY)) {
                builder.mandatory(message.getBooleanProperty(MANDATORY));
            }
            return Prepared.of(builder, message, session.link().bodies());
        } catch (BrokerException e) {
            throw Errors.of(e);
        }
    }

    @Override
    public void setDisableMessageID(boolean value) throws JMSException {
        checkOpen();
        options.withoutId(value);
    }

    @Override
    public boolean getDisableMessageID() throws JMSException {
        checkOpen();
        return options.withoutId();
    }

    @Override
    public void setDisableMessageTimestamp(boolean value) throws JMSException {
        checkOpen();
        options.withoutTimestamp(value);
    }

    @Override
    public boolean getDisableMessageTimestamp() throws JMSException {
        checkOpen();
        return options.withoutTimestamp();
    }

    @Override
    public void setDeliveryMode(int deliveryMode) throws JMSException {
        checkOpen();
        options.deliveryMode(deliveryMode);
    }

    @Override
    public int getDeliveryMode() throws JMSException {
        checkOpen();
        return options.deliveryMode();
    }

    @Override
    public void setPriority(int priority) throws JMSException {
        checkOpen();
        options.priority(priority);
    }

    @Override
    public int getPriority() throws JMSException {
        checkOpen();
        return options.priority();
    }

    @Override
    public void setTimeToLive(long timeToLive) throws JMSException {
        checkOpen();
        options.timeToLiveMs(timeToLive);
    }

    @Override
    public long getTimeToLive() throws JMSException {
        checkOpen();
        return options.timeToLiveMs();
    }

    @Override
    public void setDeliveryDelay(long deliveryDelay) throws JMSException {
        checkOpen();
        options.deliveryDelayMs(deliveryDelay);
    }

    @Override
    public long getDeliveryDelay() throws JMSException {
        checkOpen();
        return options.deliveryDelayMs();
    }

    @Override
    public @Nullable Destination getDestination() throws JMSException {
        checkOpen();
        return destination;
    }

    @Override
    public @Nullable Queue getQueue() throws JMSException {
        checkOpen();
        return (Queue) destination;
    }

    @Override
    public @Nullable Topic getTopic() throws JMSException {
        checkOpen();
        return (Topic) destination;
    }

    @Override
    public void close() throws JMSException {
        if (ended) {
            return;
        }
        session.callbacks().checkNotCallback("close a producer of its session");
        closed = true;
        session.callbacks().awaitAll(this);
        if (unconfirmed && !session.link().isBroken()) {
            // What was not waited for may have been refused, and there will be no next send to tell it.
            session.sync();
        }
        ended = true;
        checkNotRefused();
    }
}
