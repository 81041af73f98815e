package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.transport.openwire.codec.OpenWireException;
import dev.turnstone.transport.openwire.codec.WireCodec;
import dev.turnstone.transport.vertx.Ending;
import dev.turnstone.transport.vertx.SessionOutput;
import dev.turnstone.transport.vertx.Wire;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.Command;
import org.apache.activemq.command.ConnectionError;
import org.apache.activemq.command.ConsumerControl;
import org.apache.activemq.command.MessageDispatch;
import org.apache.activemq.util.ByteSequence;
import org.jspecify.annotations.Nullable;

/** All commands that go to one client. On the event loop only. */
final class Outgoing implements SessionOutput {
    private static final byte[] NOTHING = {};
    private static final int START = 512;

    private final Wire wire;
    private final WireCodec codec;
    private final Consumers consumers;
    private final MessageWriter messages;
    private final Consumer<String> broken;
    private long sequence;
    private byte[] bytes = NOTHING;
    private int size;
    private long written;
    private boolean ending;
    private @Nullable Aside aside;

    /**
     * For one client.
     *
     * @param sequence where the numbers of deliveries begin, above those of earlier connections
     * @param broken ends the connection, with the reason, if something cannot be written
     */
    Outgoing(
            Wire wire,
            WireCodec codec,
            Consumers consumers,
            MessageWriter messages,
            long sequence,
            Consumer<String> broken) {
        this.wire = wire;
        this.codec = codec;
        this.consumers = consumers;
        this.messages = messages;
        this.sequence = sequence;
        this.broken = broken;
    }

    /** What deliveries ask for beside being written. */
    interface Aside {
        /** A message names a temporary destination, which the client must hear of first. */
        void named(ActiveMQDestination temporary);

        /** There is a queue that a consumer's pattern finds. */
        void found(int watch, Address queue);

        /** A message is larger than the client takes, or none that a command holds. */
        void refused(OpenWireConsumer consumer, Delivery delivery, String why);

        /** A message comes again, to this consumer, that the client still has. */
        void again(OpenWireConsumer consumer, Held held, Kept.Entry known);
    }

    /** Who does that, from the login on. */
    void aside(Aside does) {
        aside = does;
    }

    private Aside aside() {
        Aside does = aside;
        if (does == null) {
            throw new IllegalStateException("nothing is delivered before the login");
        }
        return does;
    }

    @Override
    public void delivery(Delivery delivery) {
        OpenWireConsumer consumer = consumers.ofPort(delivery.consumer());
        // What still comes for a consumer that has ended, or has asked for nothing, is void: the broker has it back.
        if (consumer == null || consumer.isDeaf() || ending) {
            return;
        }
        Object queue = consumer.queue(delivery.consumer());
        Kept.Entry again = consumers.kept().find(queue, delivery.position());
        if (again != null) {
            aside().again(consumer, held(delivery, queue, again.sequence()), again);
            return;
        }
        Held held = held(delivery, queue, ++sequence);
        ActiveMQMessage message = fitting(consumer, delivery, held);
        if (message == null) {
            return;
        }
        MessageDispatch dispatch = dispatch(consumer);
        dispatch.setMessage(message);
        dispatch.setDestination(dispatch.getMessage().getDestination());
        dispatch.setRedeliveryCounter(dispatch.getMessage().getRedeliveryCounter());
        ActiveMQDestination replyTo = dispatch.getMessage().getReplyTo();
        if (replyTo != null && replyTo.isTemporary()) {
            aside().named(replyTo);
        }
        if (delivery.redelivered()) {
            held.comesAgain(message.getMessageId());
        }
        consumer.given(held);
        send(dispatch);
    }

    /** The message, or null if it is none that the client could be given. */
    private @Nullable ActiveMQMessage fitting(OpenWireConsumer consumer, Delivery delivery, Held held) {
        ActiveMQMessage message;
        try {
            message = messages.write(delivery, consumer.source(held.port()), held.sequence());
        } catch (BrokerException e) {
            aside().refused(consumer, delivery, String.valueOf(e.getMessage()));
            return null;
        }
        long most = FrameSize.atMost(message);
        if (most > codec.peerFrameBytesMax()) {
            aside().refused(
                            consumer,
                            delivery,
                            "a frame of up to " + most + " bytes, and the client takes " + codec.peerFrameBytesMax()
                                    + " (frameBytesMax, or its own wireFormat.maxFrameSize)");
            return null;
        }
        return message;
    }

    private static Held held(Delivery delivery, Object queue, long sequence) {
        return new Held(
                sequence,
                delivery.consumer(),
                delivery.number(),
                queue,
                delivery.position(),
                delivery.message().expiryMs());
    }

    private static MessageDispatch dispatch(OpenWireConsumer consumer) {
        MessageDispatch dispatch = new MessageDispatch();
        dispatch.setConsumerId(consumer.id());
        dispatch.setDestination(consumer.destination());
        return dispatch;
    }

    /** Tells a browser that there is no more, or who asked for a message that there is none. */
    void nothing(OpenWireConsumer consumer) {
        send(dispatch(consumer));
    }

    @Override
    public void browseEnded(int port) {
        OpenWireConsumer consumer = consumers.ofPort(port);
        if (consumer != null && !consumer.hasEnded() && consumer.browsed()) {
            nothing(consumer);
        }
    }

    @Override
    public void queueFound(int watch, Address queue) {
        aside().found(watch, queue);
    }

    @Override
    public void consumerClosed(int port, BrokerException cause) {
        if (consumers.loseMember(port)) {
            return;
        }
        OpenWireConsumer consumer = consumers.lose(port);
        if (consumer != null) {
            ConnectionError error = new ConnectionError();
            error.setException(Errors.of(cause));
            send(error);
            ConsumerControl close = new ConsumerControl();
            close.setConsumerId(consumer.id());
            close.setClose(true);
            send(close);
        }
    }

    /** Collects a command; nothing behind the last one. */
    void send(Command command) {
        if (ending) {
            return;
        }
        try {
            ByteSequence frame = codec.encode(command);
            append(frame);
        } catch (OpenWireException e) {
            broken.accept("a command for the client " + e.getMessage());
        }
    }

    private void append(ByteSequence frame) {
        int needed = size + frame.getLength();
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.max(START, needed), 2 * bytes.length));
        }
        System.arraycopy(frame.getData(), frame.getOffset(), bytes, size, frame.getLength());
        size = needed;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void write() {
        if (size > 0) {
            wire.write(take(), null);
        }
    }

    /** Writes what is left and ends the connection behind it. */
    void finish() {
        ending = true;
        // Only peers of a WebSocket could be told more.
        wire.finish(take(), Ending.DONE);
    }

    /** The number of the last delivery; those of earlier connections are below. */
    long sequence() {
        return sequence;
    }

    /** Counts the writes, so that somebody can see whether there was one. */
    long written() {
        return written;
    }

    private ByteBuffer take() {
        ByteBuffer taken = ByteBuffer.wrap(bytes, 0, size);
        bytes = NOTHING;
        size = 0;
        written++;
        return taken;
    }
}
