package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import java.util.Random;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTempQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.BaseCommand;
import org.apache.activemq.command.ConnectionId;
import org.apache.activemq.command.ConnectionInfo;
import org.apache.activemq.command.ConsumerControl;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.DestinationInfo;
import org.apache.activemq.command.ExceptionResponse;
import org.apache.activemq.command.LocalTransactionId;
import org.apache.activemq.command.MessageAck;
import org.apache.activemq.command.MessageDispatch;
import org.apache.activemq.command.MessageId;
import org.apache.activemq.command.MessagePull;
import org.apache.activemq.command.ProducerId;
import org.apache.activemq.command.Response;
import org.apache.activemq.command.SessionId;
import org.apache.activemq.command.TransactionInfo;
import org.apache.activemq.command.WireFormatInfo;
import org.apache.activemq.openwire.OpenWireFormat;
import org.apache.activemq.util.ByteSequence;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What no client should send: an answer or an end, and nobody else notices. */
@Timeout(60)
final class OpenWireMalformedTest {
    private static final ActiveMQQueue QUEUE = new ActiveMQQueue("malformed");

    @RegisterExtension
    private final ActiveMq broker =
            new ActiveMq(Map.of("frameBytesMax", "100000", "loginFrameBytesMax", "10000", "loginTimeoutMs", "3000"));

    private Session healthy;

    @BeforeEach
    void open() throws JMSException {
        healthy = broker.session();
    }

    @AfterEach
    void nobodyElseHasNoticed() throws JMSException {
        Queue queue = healthy.createQueue("healthy");
        ActiveMq.send(healthy, queue, "fine");
        MessageConsumer consumer = healthy.createConsumer(queue);
        assertThat(ActiveMq.text(consumer)).isEqualTo("fine");
        consumer.close();
    }

    /** A client that sends what it is told. */
    private static final class Peer implements Closeable {
        final ConnectionId id;
        private final Socket socket;
        private final DataInputStream in;
        private final OpenWireFormat format = new OpenWireFormat(12);
        private int commands;

        Peer(int port, String name) throws IOException {
            id = new ConnectionId(name);
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(20_000);
            in = new DataInputStream(socket.getInputStream());
        }

        Peer hello() throws IOException {
            WireFormatInfo hello = new WireFormatInfo();
            hello.setVersion(12);
            raw(format.marshal(hello));
            return this;
        }

        Peer login() throws IOException {
            hello();
            ConnectionInfo info = new ConnectionInfo(id);
            info.setClientId(id.getValue());
            assertThat(ask(info).isException()).isFalse();
            return this;
        }

        void raw(ByteSequence bytes) throws IOException {
            socket.getOutputStream().write(bytes.getData(), bytes.getOffset(), bytes.getLength());
        }

        void raw(byte... bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        void tell(BaseCommand command) throws IOException {
            command.setCommandId(++commands);
            raw(format.marshal(command));
        }

        /** The answer to a command. */
        Response ask(BaseCommand command) throws IOException {
            command.setResponseRequired(true);
            tell(command);
            while (true) {
                if (next() instanceof Response response && response.getCorrelationId() == command.getCommandId()) {
                    return response;
                }
            }
        }

        /** The next dispatch. */
        MessageDispatch dispatch() throws IOException {
            while (true) {
                if (next() instanceof MessageDispatch dispatch) {
                    return dispatch;
                }
            }
        }

        /** The text of the refusal of a command. */
        String refusal(BaseCommand command) throws IOException {
            Response response = ask(command);
            assertThat(response).isInstanceOf(ExceptionResponse.class);
            return String.valueOf(((ExceptionResponse) response).getException().getMessage());
        }

        private @Nullable Object next() throws IOException {
            byte[] frame = new byte[in.readInt()];
            in.readFully(frame);
            ByteSequence whole = new ByteSequence(new byte[4 + frame.length]);
            java.nio.ByteBuffer.wrap(whole.getData()).putInt(frame.length).put(frame);
            return format.unmarshal(whole);
        }

        void awaitEnd() throws IOException {
            try {
                while (true) {
                    next();
                }
            } catch (EOFException | SocketException e) {
                assertThat(e).isNotNull();
            }
        }

        SessionId session() {
            return new SessionId(id, 1);
        }

        ActiveMQTextMessage message(ProducerId producer) {
            ActiveMQTextMessage message = new ActiveMQTextMessage();
            message.setProducerId(producer);
            message.setMessageId(new MessageId(producer, ++commands));
            message.setDestination(QUEUE);
            return message;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private Peer peer(String name) throws IOException {
        return new Peer(broker.port(), name);
    }

    @Test
    void garbageEndsTheConnection() throws IOException {
        Random random = new Random();
        for (int i = 0; i < 20; i++) {
            try (Peer peer = peer("ID:garbage")) {
                byte[] garbage = new byte[1_000];
                random.nextBytes(garbage);
                peer.raw(garbage);
                peer.awaitEnd();
            }
        }
    }

    @Test
    void aFrameLongerThanTheLimitEndsTheConnectionBeforeItIsThere() throws IOException {
        try (Peer stranger = peer("ID:stranger")) {
            stranger.hello().raw((byte) 0, (byte) 0, (byte) 0x27, (byte) 0x11);
            stranger.awaitEnd();
        }
        try (Peer known = peer("ID:known").login()) {
            known.raw((byte) 0, (byte) 1, (byte) 0x86, (byte) 0xa1);
            known.awaitEnd();
        }
    }

    @Test
    void anUnknownTypeAndACommandOfBrokersEndTheConnection() throws IOException {
        for (byte type : new byte[] {99, 31, 16, 2, 21, 60, -1}) {
            try (Peer peer = peer("ID:unknown").login()) {
                peer.raw((byte) 0, (byte) 0, (byte) 0, (byte) 1, type);
                peer.awaitEnd();
            }
        }
    }

    @Test
    void aCommandBeforeTheLoginIsRefusedAndTheConnectionEnds() throws IOException {
        try (Peer peer = peer("ID:early").hello()) {
            ConsumerInfo info = new ConsumerInfo(new ConsumerId(peer.session(), 1));
            info.setDestination(QUEUE);
            assertThat(peer.refusal(info)).contains("has not logged in");
            peer.awaitEnd();
        }
    }

    @Test
    void whoSaysNothingIsEnded() throws IOException {
        try (Peer peer = peer("ID:silent")) {
            peer.awaitEnd();
        }
    }

    @Test
    void identifiersOfAnotherConnectionAreRefused() throws IOException {
        SessionId foreign = new SessionId(new ConnectionId("ID:somebody-else"), 1);
        try (Peer peer = peer("ID:thief").login()) {
            ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(foreign, 1));
            consumer.setDestination(QUEUE);
            assertThat(peer.refusal(consumer)).contains("not its own");
            assertThat(peer.refusal(peer.message(new ProducerId(foreign, 1)))).contains("not its own");
            DestinationInfo temporary = new DestinationInfo(
                    peer.id, DestinationInfo.ADD_OPERATION_TYPE, new ActiveMQTempQueue("ID:somebody-else:1"));
            assertThat(peer.refusal(temporary)).contains("does not begin with the connection's");
            assertThat(peer.ask(peer.message(new ProducerId(peer.session(), 1))).isException())
                    .isFalse();
        }
    }

    @Test
    void anAcknowledgementOfWhatWasNeverDeliveredIsRefusedAndTheConnectionGoesOn() throws IOException {
        try (Peer peer = peer("ID:ack").login()) {
            ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(peer.session(), 1));
            consumer.setDestination(QUEUE);
            consumer.setPrefetchSize(10);
            MessageAck ack = new MessageAck();
            ack.setAckType(MessageAck.STANDARD_ACK_TYPE);
            ack.setConsumerId(consumer.getConsumerId());
            ack.setLastMessageId(new MessageId("ID:x:1:1:1"));
            assertThat(peer.refusal(ack)).contains("no consumer");
            assertThat(peer.ask(consumer).isException()).isFalse();
            for (byte type = 1; type <= 6; type++) {
                ack.setAckType(type);
                if (type != MessageAck.REDELIVERED_ACK_TYPE) {
                    assertThat(peer.refusal(ack)).contains("waits for an acknowledgement");
                }
            }
            ack.setAckType((byte) 77);
            assertThat(peer.refusal(ack)).contains("unknown type");
            ack.setLastMessageId(null);
            assertThat(peer.refusal(ack)).contains("names no message");
        }
    }

    @Test
    void aPrefetchThatComesDuringAPullOutlivesThePullsEnd() throws IOException {
        try (Peer peer = peer("ID:pull").login()) {
            ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(peer.session(), 1));
            consumer.setDestination(QUEUE);
            consumer.setPrefetchSize(0);
            assertThat(peer.ask(consumer).isException()).isFalse();
            MessagePull pull = new MessagePull();
            pull.setConsumerId(consumer.getConsumerId());
            pull.setTimeout(100);
            peer.tell(pull);
            ConsumerControl control = new ConsumerControl();
            control.setConsumerId(consumer.getConsumerId());
            control.setPrefetch(10);
            peer.tell(control);
            assertThat(peer.dispatch().getMessage()).as("the pull is over").isNull();
            for (int i = 0; i < 3; i++) {
                peer.tell(peer.message(new ProducerId(peer.session(), 1)));
                assertThat(peer.dispatch().getMessage()).isNotNull();
            }
        }
    }

    @Test
    void otherNonsenseIsRefusedAndTheConnectionGoesOn() throws IOException {
        try (Peer peer = peer("ID:nonsense").login()) {
            assertThat(peer.refusal(new MessagePull())).contains("no consumer");
            ConsumerInfo nowhere = new ConsumerInfo(new ConsumerId(peer.session(), 1));
            assertThat(peer.refusal(nowhere)).contains("needs a destination");
            LocalTransactionId unknown = new LocalTransactionId(peer.id, 5);
            for (byte type : new byte[] {2, 4, 1, 77}) {
                assertThat(peer.refusal(new TransactionInfo(peer.id, unknown, type)))
                        .isNotEmpty();
            }
            assertThat(peer.refusal(new TransactionInfo(peer.id, null, TransactionInfo.BEGIN)))
                    .contains("names no transaction");
            ActiveMQTextMessage homeless = peer.message(new ProducerId(peer.session(), 1));
            homeless.setDestination(null);
            assertThat(peer.refusal(homeless)).contains("destination is missing");
            ActiveMQTextMessage broken = peer.message(new ProducerId(peer.session(), 1));
            broken.setContent(new ByteSequence(new byte[] {0, 0, 0, 9, 'x'}));
            assertThat(peer.refusal(broken)).contains("body is not that of a TEXT message");
            ActiveMQTextMessage properties = peer.message(new ProducerId(peer.session(), 1));
            properties.setMarshalledProperties(new ByteSequence(new byte[] {127, -1, -1, -1, 0}));
            assertThat(peer.refusal(properties)).contains("properties cannot be read");
            assertThat(peer.refusal(new ConnectionInfo(peer.id))).contains("logged in already");
        }
    }
}
