package dev.turnstone.itests.openwire;

import jakarta.jms.JMSException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.activemq.command.ActiveMQBytesMessage;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ActiveMQMapMessage;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQObjectMessage;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQStreamMessage;
import org.apache.activemq.command.ActiveMQTempQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.ActiveMQTopic;
import org.apache.activemq.command.BaseCommand;
import org.apache.activemq.command.CommandTypes;
import org.apache.activemq.command.ConsumerControl;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.DestinationInfo;
import org.apache.activemq.command.LocalTransactionId;
import org.apache.activemq.command.MessageAck;
import org.apache.activemq.command.MessageId;
import org.apache.activemq.command.MessagePull;
import org.apache.activemq.command.ProducerId;
import org.apache.activemq.command.ProducerInfo;
import org.apache.activemq.command.RemoveSubscriptionInfo;
import org.apache.activemq.command.SessionId;
import org.apache.activemq.command.SessionInfo;
import org.apache.activemq.command.TransactionId;
import org.apache.activemq.command.TransactionInfo;
import org.apache.activemq.command.XATransactionId;
import org.apache.activemq.util.ByteSequence;
import org.jspecify.annotations.Nullable;

/** What a client sends, as real commands of the library, some of them damaged. One thread. */
final class DamagedFrames {
    private static final int LENGTH = Integer.BYTES;
    private static final int MESSAGE_TYPES = 6;
    private static final byte[] ODD = {0, 1, -1, 127, -128, 17, 18};

    private static final Map<String, Object> PROPERTIES =
            Map.of("p1", "a\u20ac", "p2", 4, "p3", 5L, "p4", 0.5, "p5", true);

    private final Random random;
    private final FormPeer peer;
    private final SessionId session;
    private final ProducerId producer;
    private int commands = 1;

    DamagedFrames(Random random, FormPeer peer) {
        this.random = random;
        this.peer = peer;
        session = new SessionId(peer.id, 1);
        producer = new ProducerId(session, 1);
    }

    /** Undamaged: a session, a producer, consumers with messages. */
    byte[] beginning() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (BaseCommand command : List.of(
                new SessionInfo(session),
                new ProducerInfo(producer),
                consumer(1, "fuzz.q"),
                consumer(2, "fuzz.a,fuzz.b"))) {
            all.writeBytes(frame(command));
        }
        return all.toByteArray();
    }

    /** Whether the length in front of a frame is its own. */
    static boolean isWhole(byte[] frame) {
        return ByteBuffer.wrap(frame).getInt() == frame.length - LENGTH;
    }

    /** A frame that is whole; what is in it need not be. */
    byte[] next() throws IOException {
        return frame(command());
    }

    /** One that may be damaged itself, behind which there is mostly nothing more. */
    byte[] last() throws IOException {
        byte[] frame = next();
        return switch (random.nextInt(10)) {
            case 0, 1 -> frame;
            case 2 -> shortened(frame);
            case 3 -> {
                frame[random.nextInt(LENGTH)] = odd();
                yield frame;
            }
            default -> damaged(frame);
        };
    }

    private byte[] frame(BaseCommand command) throws IOException {
        command.setCommandId(++commands);
        command.setResponseRequired(random.nextBoolean());
        return peer.format.marshal(command).toArray();
    }

    private byte[] shortened(byte[] frame) {
        byte[] some = Arrays.copyOf(frame, LENGTH + 1 + random.nextInt(frame.length - LENGTH));
        ByteBuffer.wrap(some).putInt(some.length - LENGTH);
        return some;
    }

    /** Goodbyes are orderly ends, and none comes of damage. */
    private byte[] damaged(byte[] frame) {
        byte type = frame[LENGTH];
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
            frame[LENGTH + random.nextInt(frame.length - LENGTH)] = odd();
        }
        if (frame[LENGTH] == CommandTypes.SHUTDOWN_INFO || frame[LENGTH] == CommandTypes.REMOVE_INFO) {
            frame[LENGTH] = type;
        }
        return frame;
    }

    private byte odd() {
        return random.nextBoolean() ? ODD[random.nextInt(ODD.length)] : (byte) random.nextInt();
    }

    private BaseCommand command() throws IOException {
        return switch (random.nextInt(12)) {
            case 0 -> consumer(3 + random.nextInt(3), "fuzz.>");
            case 1 -> ack();
            case 2 -> transaction();
            case 3 -> pull();
            case 4 -> control();
            case 5 ->
                new DestinationInfo(
                        peer.id, DestinationInfo.ADD_OPERATION_TYPE, new ActiveMQTempQueue(peer.id.getValue() + ":1"));
            case 6 -> subscription();
            default -> message();
        };
    }

    private ConsumerInfo consumer(int number, String queue) {
        ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(session, number));
        consumer.setDestination(new ActiveMQQueue(queue));
        consumer.setPrefetchSize(random.nextInt(20));
        consumer.setSelector(random.nextBoolean() ? null : "p1 = 'a' OR p2 > 3");
        return consumer;
    }

    private MessageAck ack() {
        MessageAck ack = new MessageAck();
        ack.setAckType((byte) random.nextInt(7));
        ack.setConsumerId(new ConsumerId(session, 1 + random.nextInt(2)));
        ack.setDestination(destination());
        ack.setFirstMessageId(messageId());
        ack.setLastMessageId(messageId());
        ack.setMessageCount(random.nextInt(3));
        ack.setTransactionId(transactionId());
        ack.setPoisonCause(random.nextBoolean() ? null : new Throwable("why"));
        return ack;
    }

    private MessageId messageId() {
        MessageId id = new MessageId(producer, random.nextInt(10));
        id.setBrokerSequenceId(random.nextInt(10));
        return id;
    }

    private TransactionInfo transaction() {
        return new TransactionInfo(peer.id, transactionId(), (byte) random.nextInt(9));
    }

    private @Nullable TransactionId transactionId() {
        if (random.nextInt(3) == 0) {
            return null;
        } else if (random.nextBoolean()) {
            return new LocalTransactionId(peer.id, random.nextInt(3));
        }
        XATransactionId branch = new XATransactionId();
        branch.setFormatId(7);
        branch.setGlobalTransactionId(peer.id.getValue().getBytes(StandardCharsets.UTF_8));
        branch.setBranchQualifier(new byte[] {(byte) random.nextInt(3)});
        return branch;
    }

    private MessagePull pull() {
        MessagePull pull = new MessagePull();
        pull.setConsumerId(new ConsumerId(session, 1 + random.nextInt(5)));
        pull.setTimeout(random.nextInt(3) - 1);
        pull.setDestination(destination());
        return pull;
    }

    private ConsumerControl control() {
        ConsumerControl control = new ConsumerControl();
        control.setConsumerId(new ConsumerId(session, 1 + random.nextInt(5)));
        control.setPrefetch(random.nextInt(10) - 1);
        return control;
    }

    private RemoveSubscriptionInfo subscription() {
        RemoveSubscriptionInfo subscription = new RemoveSubscriptionInfo();
        subscription.setConnectionId(peer.id);
        subscription.setClientId(peer.id.getValue());
        subscription.setSubscriptionName("s");
        return subscription;
    }

    private ActiveMQDestination destination() {
        return random.nextInt(4) == 0 ? new ActiveMQTopic("fuzz.t") : new ActiveMQQueue("fuzz.q");
    }

    /** A message whose body and properties are damaged within, under a frame that is right. */
    private ActiveMQMessage message() throws IOException {
        int type = random.nextInt(MESSAGE_TYPES);
        ActiveMQMessage real = real(type);
        real.beforeMarshall(null);
        if (random.nextInt(3) == 0) {
            real.compress();
        }
        ActiveMQMessage message = empty(random.nextInt(4) == 0 ? random.nextInt(MESSAGE_TYPES) : type);
        message.setContent(within(real.getContent()));
        message.setMarshalledProperties(within(real.getMarshalledProperties()));
        message.setCompressed(random.nextInt(4) == 0 != real.isCompressed());
        message.setProducerId(producer);
        message.setMessageId(new MessageId(producer, commands));
        message.setDestination(destination());
        message.setPersistent(random.nextInt(10) == 0);
        message.setTransactionId(random.nextInt(4) == 0 ? transactionId() : null);
        message.setReplyTo(random.nextInt(4) == 0 ? destination() : null);
        message.setCorrelationId(random.nextBoolean() ? null : "correlation");
        message.setGroupID(random.nextInt(4) == 0 ? "group" : null);
        message.setUserID(random.nextInt(4) == 0 ? "user" : null);
        return message;
    }

    private @Nullable ByteSequence within(@Nullable ByteSequence real) {
        if (real == null || real.getLength() == 0) {
            return real;
        }
        byte[] bytes = real.toArray();
        if (random.nextBoolean()) {
            bytes[random.nextInt(bytes.length)] = odd();
        }
        if (random.nextInt(4) == 0) {
            bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
        }
        return new ByteSequence(bytes);
    }

    private static ActiveMQMessage empty(int type) {
        return switch (type) {
            case 0 -> new ActiveMQTextMessage();
            case 1 -> new ActiveMQBytesMessage();
            case 2 -> new ActiveMQMapMessage();
            case 3 -> new ActiveMQStreamMessage();
            case 4 -> new ActiveMQObjectMessage();
            default -> new ActiveMQMessage();
        };
    }

    private static ActiveMQMessage real(int type) throws IOException {
        ActiveMQMessage real = empty(type);
        try {
            for (Map.Entry<String, Object> property : PROPERTIES.entrySet()) {
                real.setObjectProperty(property.getKey(), property.getValue());
            }
            fill(real);
        } catch (JMSException e) {
            throw new IOException(e);
        }
        return real;
    }

    private static void fill(ActiveMQMessage real) throws JMSException {
        if (real instanceof ActiveMQTextMessage text) {
            text.setText("text \u00e4 \u20ac");
        } else if (real instanceof ActiveMQBytesMessage bytes) {
            bytes.writeBytes(new byte[] {1, 2, 3, -1});
        } else if (real instanceof ActiveMQMapMessage map) {
            map.setString("s", "text");
            map.setInt("i", 5);
            map.setBytes("b", new byte[] {1, 2});
            map.setObject("m", Map.of("inner", List.of(1, "two")));
        } else if (real instanceof ActiveMQStreamMessage stream) {
            stream.writeString("s");
            stream.writeInt(5);
            stream.writeBytes(new byte[] {1, 2, 3});
        } else if (real instanceof ActiveMQObjectMessage object) {
            object.setObject("an object");
        }
    }
}
