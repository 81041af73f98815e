package dev.turnstone.jms;

import dev.turnstone.port.BodyKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.PortLimits;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session's way to bodies that are too large for one piece: sends them in chunks, reads them in chunks, never more
 * than a few at a time in memory. The broker keeps the bodies of the last messages that were received for this session,
 * so that they can be read after their acknowledgement. Any thread; what waits says so.
 */
final class LargeBodies {
    private static final Logger LOG = LoggerFactory.getLogger(LargeBodies.class);
    /** So many bodies stay readable after their messages are acknowledged. */
    private static final int KEPT_MAX = 4;
    /** Chunks on their way to the broker: one is read from its source while another is stored. */
    private static final int UNDER_WAY_MAX = 2;

    private final SessionLink link;
    private final PortLimits limits;
    /** The session's numbers of bodies that it keeps, by the broker's; the last used last. Under the lock. */
    private final Map<Long, Long> kept = new LinkedHashMap<>(4, 0.75f, true);

    private long numbers;

    LargeBodies(SessionLink link, PortLimits limits) {
        this.link = link;
        this.limits = limits;
    }

    /** The largest body that goes in one piece. */
    int pieceMax() {
        return limits.messageBytesMax();
    }

    /** Refuses what is larger than the broker takes. */
    void check(long length) throws JMSException {
        if (length > limits.largeBytesMax()) {
            throw Errors.of(new BrokerException(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "a body of " + length + " bytes is larger than message.largeBytesMax=" + limits.largeBytesMax()));
        }
    }

    /** Under the lock: the message's body, if it is a large one, stays readable for a while. Does not flush. */
    void keep(Message message) {
        if (message.hasStoredBody()) {
            number(message, Reply.toMany());
        }
    }

    /** Under the lock: the number of the message's body, which is opened if it is not kept. */
    private long number(Message message, Reply reply) {
        Long known = kept.get(message.storedBodyId());
        if (known != null) {
            return known;
        }
        long number = ++numbers;
        link.port().bodies().open(number, message, reply.another());
        kept.put(message.storedBodyId(), number);
        if (kept.size() > KEPT_MAX) {
            Iterator<Long> oldest = kept.values().iterator();
            link.port().bodies().close(oldest.next());
            oldest.remove();
        }
        return number;
    }

    /**
     * Stores a body; waits. Returns its number, which is to be closed.
     *
     * @param persistent whether a persistent message will have it
     */
    long store(InputStream source, boolean persistent) throws JMSException {
        Reply started = Reply.toOne();
        long number;
        link.lockUnbroken();
        try {
            number = ++numbers;
            link.port().bodies().start(number, persistent, started);
        } catch (BrokerException e) {
            throw Errors.of(e);
        } finally {
            link.unlock();
        }
        boolean stored = false;
        try {
            append(source, number);
            link.await(started);
            stored = true;
            return number;
        } catch (IOException e) {
            throw Errors.unexpected(e);
        } finally {
            if (!stored) {
                close(number);
            }
        }
    }

    private void append(InputStream source, long number) throws IOException, JMSException {
        ArrayDeque<Reply> underWay = new ArrayDeque<>(UNDER_WAY_MAX);
        byte[] chunk = source.readNBytes(limits.chunkBytes());
        while (chunk.length > 0) {
            Reply stored = Reply.toOne();
            link.lockUnbroken();
            try {
                link.port().bodies().append(number, ByteBuffer.wrap(chunk), stored);
                link.port().flush();
            } finally {
                link.unlock();
            }
            underWay.add(stored);
            if (underWay.size() == UNDER_WAY_MAX) {
                link.await(underWay.remove());
            }
            chunk = chunk.length < limits.chunkBytes() ? new byte[0] : source.readNBytes(limits.chunkBytes());
        }
        for (Reply stored : underWay) {
            link.await(stored);
        }
    }

    private void close(long number) {
        link.lock();
        try {
            if (!link.isBroken()) {
                link.port().bodies().close(number);
                link.port().flush();
            }
        } finally {
            link.unlock();
        }
    }

    /** A stream of a received message's body; its reads wait. */
    BodyStream open(Message message) {
        return new StoredInput(this, message);
    }

    /** A chunk of a received message's body; waits. */
    ByteBuffer read(Message message, long chunk) throws JMSException {
        Reply reply = Reply.toMany();
        Got got = new Got();
        link.lockUnbroken();
        try {
            long number = number(message, reply);
            link.port().bodies().read(number, chunk, content -> got.content = content, reply.another());
            link.port().flush();
        } catch (BrokerException e) {
            throw Errors.of(e);
        } finally {
            link.unlock();
        }
        try {
            link.await(reply);
        } catch (JMSException e) {
            forget(message);
            throw e;
        }
        return Objects.requireNonNull(got.content);
    }

    private void forget(Message message) {
        link.lock();
        try {
            kept.remove(message.storedBodyId());
        } finally {
            link.unlock();
        }
    }

    /**
     * As {@link #whole}, and the broker need not keep the body for this session any more. Null if it is not stored
     * apart, to be read as a stream, or longer than this; or cannot be read now, which is told to whoever reads it: the
     * message itself is received.
     */
    @Nullable
    ByteBuffer fetch(Message message, int bytesMax) {
        if (!message.hasStoredBody() || message.bodyKind() == BodyKind.BYTES || message.bodyLength() > bytesMax) {
            return null;
        }
        try {
            ByteBuffer all = whole(message);
            release(message);
            return all;
        } catch (JMSException e) {
            LOG.debug("the body of message {} cannot be fetched", message.id(), e);
            return null;
        }
    }

    private void release(Message message) {
        link.lock();
        try {
            Long number = kept.remove(message.storedBodyId());
            if (number != null && !link.isBroken()) {
                link.port().bodies().close(number);
            }
        } finally {
            link.unlock();
        }
    }

    /** The whole of a received message's body; waits. */
    ByteBuffer whole(Message message) throws JMSException {
        long length = message.bodyLength();
        if (length > Integer.MAX_VALUE - 8) {
            throw Errors.of(new BrokerException(
                    ErrorCode.MESSAGE_TOO_LARGE, "a body of " + length + " bytes cannot be read in one piece"));
        }
        ByteBuffer all = ByteBuffer.allocate((int) length);
        for (long chunk = 0; all.hasRemaining(); chunk++) {
            all.put(read(message, chunk));
        }
        return all.flip();
    }

    private static final class Got {
        @Nullable
        ByteBuffer content;
    }
}
