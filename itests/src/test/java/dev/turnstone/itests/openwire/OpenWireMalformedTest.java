package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTempQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.ConnectionId;
import org.apache.activemq.command.ConnectionInfo;
import org.apache.activemq.command.ConsumerControl;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.DataStructure;
import org.apache.activemq.command.DestinationInfo;
import org.apache.activemq.command.LocalTransactionId;
import org.apache.activemq.command.MessageAck;
import org.apache.activemq.command.MessageId;
import org.apache.activemq.command.MessagePull;
import org.apache.activemq.command.ProducerId;
import org.apache.activemq.command.ProducerInfo;
import org.apache.activemq.command.RemoveInfo;
import org.apache.activemq.command.RemoveSubscriptionInfo;
import org.apache.activemq.command.SessionId;
import org.apache.activemq.command.SessionInfo;
import org.apache.activemq.command.TransactionInfo;
import org.apache.activemq.util.ByteSequence;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** What no client should send: an answer or an end, and nobody else notices. */
@Timeout(60)
final class OpenWireMalformedTest {
    private static final ActiveMQQueue QUEUE = new ActiveMQQueue("malformed");

    @RegisterExtension
    private final ActiveMq broker =
            new ActiveMq(Map.of("frameBytesMax", "100000", "loginFrameBytesMax", "10000", "loginTimeoutMs", "3000"));

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Session healthy;

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("dev.turnstone.transport.openwire");
    }

    /** The reason, for whoever runs the broker. */
    private void assertLogged(String reason) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(List.copyOf(log.list))
                        .anyMatch(event -> event.getFormattedMessage().contains("connection ended: ")
                                && event.getFormattedMessage().contains(reason)));
    }

    @BeforeEach
    void open() throws JMSException {
        log.start();
        logger().setLevel(Level.INFO);
        logger().addAppender(log);
        healthy = broker.session();
    }

    @AfterEach
    void nobodyElseHasNoticed() throws JMSException {
        Queue queue = healthy.createQueue("healthy");
        ActiveMq.send(healthy, queue, "fine");
        MessageConsumer consumer = healthy.createConsumer(queue);
        assertThat(ActiveMq.text(consumer)).isEqualTo("fine");
        consumer.close();
        logger().detachAppender(log);
        logger().setLevel(null);
    }

    private WirePeer peer(String name) throws IOException {
        return new WirePeer(broker.port(), name);
    }

    @Test
    void theLogSaysWhoseConnectionEnded() throws IOException {
        try (WirePeer peer = peer("ID:labelled").login()) {
            peer.raw((byte) 0, (byte) 0, (byte) 0, (byte) 1, (byte) 0x7f);
            peer.awaitEnd();
        }
        assertLogged("");
        ILoggingEvent last = log.list.get(log.list.size() - 1);
        assertThat(last.getMDCPropertyMap())
                .containsEntry("client", "ID:labelled")
                .containsEntry("user", "anonymous")
                .containsKeys("connection", "remote");
    }

    @Test
    void garbageEndsTheConnection() throws IOException {
        Random random = new Random();
        for (int i = 0; i < 20; i++) {
            try (WirePeer peer = peer("ID:garbage")) {
                byte[] garbage = new byte[1_000];
                random.nextBytes(garbage);
                peer.raw(garbage);
                peer.awaitEnd();
            }
        }
    }

    @Test
    void aFrameLongerThanTheLimitEndsTheConnectionBeforeItIsThere() throws IOException {
        try (WirePeer stranger = peer("ID:stranger")) {
            stranger.hello().raw((byte) 0, (byte) 0, (byte) 0x27, (byte) 0x11);
            stranger.awaitEnd();
        }
        try (WirePeer known = peer("ID:known").login()) {
            known.raw((byte) 0, (byte) 1, (byte) 0x86, (byte) 0xa1);
            known.awaitEnd();
        }
        assertLogged("a frame of 10001 bytes; it may have 1 to 10000 (frameBytesMax)");
        assertLogged("a frame of 100001 bytes; it may have 1 to 100000 (frameBytesMax)");
    }

    @Test
    void anUnknownTypeAndACommandOfBrokersEndTheConnection() throws IOException {
        for (byte type : new byte[] {99, 31, 16, 2, 21, 60, -1}) {
            try (WirePeer peer = peer("ID:unknown").login()) {
                peer.raw((byte) 0, (byte) 0, (byte) 0, (byte) 1, type);
                peer.awaitEnd();
            }
        }
        assertLogged("a frame of 5 bytes");
    }

    @Test
    void aCommandBeforeTheLoginIsRefusedAndTheConnectionEnds() throws IOException {
        try (WirePeer peer = peer("ID:early").hello()) {
            ConsumerInfo info = new ConsumerInfo(new ConsumerId(peer.session(), 1));
            info.setDestination(QUEUE);
            assertThat(peer.refusal(info)).contains("has not logged in");
            peer.awaitEnd();
        }
        assertLogged("has not logged in");
    }

    @Test
    void whoSaysNothingIsEnded() throws IOException {
        try (WirePeer peer = peer("ID:silent")) {
            peer.awaitEnd();
        }
        assertLogged("no login within 3000 ms");
    }

    @Test
    void identifiersOfAnotherConnectionAreRefused() throws IOException {
        SessionId foreign = new SessionId(new ConnectionId("ID:somebody-else"), 1);
        try (WirePeer peer = peer("ID:thief").login()) {
            ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(foreign, 1));
            consumer.setDestination(QUEUE);
            assertThat(peer.refusal(consumer)).contains("not its own");
            assertThat(peer.refusal(peer.message(QUEUE, new ProducerId(foreign, 1))))
                    .contains("not its own");
            assertThat(peer.refusal(new SessionInfo(foreign))).contains("not its own");
            assertThat(peer.refusal(new ProducerInfo(new ProducerId(foreign, 1))))
                    .contains("not its own");
            ConnectionId other = foreign.getParentId();
            assertThat(peer.refusal(
                            new TransactionInfo(other, new LocalTransactionId(other, 1), TransactionInfo.BEGIN)))
                    .contains("not the connection's own");
            DestinationInfo temporary = new DestinationInfo(
                    peer.id, DestinationInfo.ADD_OPERATION_TYPE, new ActiveMQTempQueue("ID:somebody-else:1"));
            assertThat(peer.refusal(temporary)).contains("does not begin with the connection's");
            RemoveSubscriptionInfo subscription = new RemoveSubscriptionInfo();
            subscription.setConnectionId(other);
            subscription.setClientId(peer.id.getValue());
            subscription.setSubscriptionName("s");
            assertThat(peer.refusal(subscription)).contains("not its own");
            for (DataStructure theirs :
                    List.of(new ConsumerId(foreign, 1), new ProducerId(foreign, 1), foreign, other)) {
                assertThat(peer.refusal(new RemoveInfo(theirs))).contains("not its own");
            }
            assertThat(peer.ask(peer.message(QUEUE, new ProducerId(peer.session(), 1)))
                            .isException())
                    .isFalse();
        }
    }

    @Test
    void anAcknowledgementOfWhatWasNeverDeliveredIsRefusedAndTheConnectionGoesOn() throws IOException {
        try (WirePeer peer = peer("ID:ack").login()) {
            ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(peer.session(), 1));
            consumer.setDestination(QUEUE);
            consumer.setPrefetchSize(10);
            MessageAck ack = new MessageAck();
            ack.setAckType(MessageAck.STANDARD_ACK_TYPE);
            ack.setConsumerId(consumer.getConsumerId());
            ack.setLastMessageId(new MessageId("ID:x:1:1:1"));
            assertThat(peer.refusal(ack)).contains("no consumer");
            assertThat(peer.ask(consumer).isException()).isFalse();
            for (byte type = 0; type <= 6; type++) {
                ack.setAckType(type);
                for (long number : new long[] {0, Long.MAX_VALUE}) {
                    ack.getLastMessageId().setBrokerSequenceId(number);
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
        try (WirePeer peer = peer("ID:pull").login()) {
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
                peer.tell(peer.message(QUEUE, new ProducerId(peer.session(), 1)));
                assertThat(peer.dispatch().getMessage()).isNotNull();
            }
        }
    }

    @Test
    void otherNonsenseIsRefusedAndTheConnectionGoesOn() throws IOException {
        try (WirePeer peer = peer("ID:nonsense").login()) {
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
            ActiveMQTextMessage homeless = peer.message(QUEUE, new ProducerId(peer.session(), 1));
            homeless.setDestination(null);
            assertThat(peer.refusal(homeless)).contains("destination is missing");
            ActiveMQTextMessage broken = peer.message(QUEUE, new ProducerId(peer.session(), 1));
            broken.setContent(new ByteSequence(new byte[] {0, 0, 0, 9, 'x'}));
            assertThat(peer.refusal(broken)).contains("body is not that of a TEXT message");
            ActiveMQTextMessage properties = peer.message(QUEUE, new ProducerId(peer.session(), 1));
            properties.setMarshalledProperties(new ByteSequence(new byte[] {127, -1, -1, -1, 0}));
            assertThat(peer.refusal(properties)).contains("properties cannot be read");
            assertThat(peer.refusal(new ConnectionInfo(peer.id))).contains("logged in already");
        }
    }
}
