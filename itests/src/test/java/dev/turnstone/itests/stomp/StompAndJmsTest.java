package dev.turnstone.itests.stomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import dev.turnstone.testkit.transport.Ports;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Jakarta Messaging application that is also the broker, and a STOMP client on a socket: the cases S11 and S19, and
 * the table in docs/stomp.md.
 */
class StompAndJmsTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String HOST = "127.0.0.1";

    @TempDir
    Path data;

    private Connection connection;
    private Session session;
    private StompClient stomp;

    @BeforeEach
    void start() throws IOException, JMSException {
        int port = Ports.free();
        connection = new TurnstoneConnectionFactory("vm://?data=" + data + "&listen=stomp=" + HOST + ":" + port)
                .createConnection();
        connection.start();
        session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        stomp = StompClient.connect(HOST, port);
    }

    @AfterEach
    void stop() throws IOException, JMSException {
        stomp.close();
        connection.close();
    }

    private Message receive() throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(session.createQueue("a.b"))) {
            return consumer.receive(SOON.toMillis());
        }
    }

    private StompFrame sent(Message message) throws JMSException, IOException {
        try (MessageProducer producer = session.createProducer(session.createQueue("a.b"))) {
            producer.send(message);
        }
        stomp.subscribe("s", "/queue/a.b", "auto");
        return stomp.message(SOON);
    }

    @Test
    void s19_textFromStompIsATextMessageWithItsFieldsAndProperties() throws Exception {
        stomp.raw("SEND\ndestination:/queue/a.b\ncorrelation-id:c1\nreply-to:/topic/answers\ntype:order\npriority:7\n"
                + "persistent:false\ncolour:red\n\ng\u00fcn\u00e7 \uD83D\uDE00^@");

        Message message = receive();

        assertThat(message).isInstanceOf(TextMessage.class);
        assertThat(((TextMessage) message).getText()).isEqualTo("g\u00fcn\u00e7 \uD83D\uDE00");
        assertThat(message.getJMSCorrelationID()).isEqualTo("c1");
        assertThat(message.getJMSReplyTo()).isEqualTo(session.createTopic("answers"));
        assertThat(message.getJMSType()).isEqualTo("order");
        assertThat(message.getJMSPriority()).isEqualTo(7);
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(message.getJMSDestination()).isEqualTo(session.createQueue("a.b"));
        assertThat(message.getJMSMessageID()).startsWith("ID:");
        assertThat(message.getJMSTimestamp()).isPositive();
        assertThat(message.getJMSRedelivered()).isFalse();
        assertThat(message.getStringProperty("colour")).isEqualTo("red");
    }

    @Test
    void aTextHeaderOfStompIsANumberForASelectorOnlyIfThatAsksForIt() throws Exception {
        stomp.sendConfirmed("/queue/a.b", "cheap", "price", "7");
        stomp.sendConfirmed("/queue/a.b", "dear", "price", "70.5");
        try (MessageConsumer plain = session.createConsumer(session.createQueue("a.b"), "price < 10")) {
            assertThat(plain.receive(300)).isNull();
        }
        String selector = "convert_string_expressions:price > 10 AND price * 2 = 141.0";
        try (MessageConsumer asNumbers = session.createConsumer(session.createQueue("a.b"), selector)) {
            assertThat(((TextMessage) asNumbers.receive(SOON.toMillis())).getText())
                    .isEqualTo("dear");
        }
        stomp.raw("SUBSCRIBE\nid:s\ndestination:/queue/a.b\nselector:convert_string_expressions\\cprice = 7\n\n^@");
        assertThat(stomp.message(SOON).text()).isEqualTo("cheap");
    }

    @Test
    void aMessagesIdentityCountsInBothProtocols() throws Exception {
        stomp.sendConfirmed("/queue/a.b", "from stomp", "dedup-id", "order-7");
        stomp.sendConfirmed("/queue/a.b", "from stomp, again", "dedup-id", "order-7");
        TextMessage again = session.createTextMessage("from jms");
        again.setStringProperty("JMS_TURNSTONE_DEDUP_ID", "order-7");
        TextMessage another = session.createTextMessage("another");
        another.setStringProperty("JMS_TURNSTONE_DEDUP_ID", "order-8");
        Message bad = session.createTextMessage("bad");
        bad.setIntProperty("JMS_TURNSTONE_DEDUP_ID", 7);
        try (MessageProducer producer = session.createProducer(session.createQueue("a.b"))) {
            producer.send(again);
            producer.send(another);
            assertThatThrownBy(() -> producer.send(bad)).isInstanceOf(MessageFormatException.class);
        }

        assertThat(((TextMessage) receive()).getText()).isEqualTo("from stomp");
        assertThat(((TextMessage) receive()).getText()).isEqualTo("another");
        stomp.sendConfirmed("/queue/a.b", "consumed long ago", "dedup-id", "order-7");
        stomp.sendConfirmed("/queue/a.b", "last");
        assertThat(((TextMessage) receive()).getText()).isEqualTo("last");
    }

    @Test
    void s19_bytesFromStompAreABytesMessage() throws Exception {
        stomp.raw("SEND\ndestination:/queue/a.b\ncontent-length:5\n\na^@b^@c^@");

        BytesMessage message = (BytesMessage) receive();

        byte[] body = new byte[(int) message.getBodyLength()];
        message.readBytes(body);
        assertThat(body).containsExactly('a', 0, 'b', 0, 'c');
    }

    @Test
    void s19_aTextMessageReachesStompAsText() throws Exception {
        StompFrame frame = sent(session.createTextMessage("\uD83D\uDE00 there"));

        assertThat(frame.text()).isEqualTo("\uD83D\uDE00 there");
        assertThat(frame.headers())
                .containsEntry("content-type", "text/plain")
                .containsEntry("destination", "/queue/a.b")
                .containsEntry("persistent", "true");
    }

    @Test
    void s19_aBytesMessageReachesStompOctetByOctet() throws Exception {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(new byte[] {0, 1, 0, -1});

        StompFrame frame = sent(message);

        assertThat(frame.body()).containsExactly(0, 1, 0, -1);
        assertThat(frame.headers()).doesNotContainKey("content-type").containsEntry("content-length", "4");
    }

    @Test
    void s11_typedPropertiesBecomeTextAndThoseThatWouldMisleadAreLeftOut() throws Exception {
        TextMessage message = session.createTextMessage();
        message.setIntProperty("number", 42);
        message.setBooleanProperty("flag", true);
        message.setDoubleProperty("ratio", 0.5);
        message.setStringProperty("empty", "");
        message.setStringProperty("none", null);
        message.setStringProperty("lines", "a\nb:c");
        message.setStringProperty("receipt", "r");
        message.setStringProperty("destination", "/queue/elsewhere");
        message.setStringProperty("nul", "a\0b");

        StompFrame frame = sent(message);

        assertThat(frame.body()).isEmpty();
        assertThat(frame.headers())
                .containsEntry("number", "42")
                .containsEntry("flag", "true")
                .containsEntry("ratio", "0.5")
                .containsEntry("empty", "")
                .containsEntry("lines", "a\nb:c")
                .containsEntry("destination", "/queue/a.b")
                .doesNotContainKeys("none", "receipt", "nul");
    }

    @Test
    void aTransactionInJmsAnswersWhatStompHasAsked() throws Exception {
        try (Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageConsumer orders = transacted.createConsumer(transacted.createQueue("orders"));
                MessageProducer answers = transacted.createProducer(null)) {
            stomp.subscribe("s", "/queue/results", "client");
            stomp.sendConfirmed("/queue/orders", "one", "reply-to", "/queue/results", "correlation-id", "7");

            TextMessage order = (TextMessage) orders.receive(SOON.toMillis());
            TextMessage answer = transacted.createTextMessage("done: " + order.getText());
            answer.setJMSCorrelationID(order.getJMSCorrelationID());
            answers.send(order.getJMSReplyTo(), answer);
            assertThat(stomp.pollMessage(Duration.ofMillis(200))).isNull();
            transacted.commit();

            StompFrame result = stomp.message(SOON);
            assertThat(result.text()).isEqualTo("done: one");
            assertThat(result.header("correlation-id")).isEqualTo("7");
        }
    }

    @Test
    void aNackFromStompIsARedeliveryInJms() throws Exception {
        stomp.sendConfirmed("/queue/a.b", "x");
        stomp.subscribe("s", "/queue/a.b", "client-individual", "prefetch-count", "1");
        StompFrame message = stomp.message(SOON);
        stomp.unsubscribe("s");
        stomp.nack(message, "receipt", "r");
        stomp.awaitReceipt("r");

        Message again = receive();

        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        assertThat(again.getJMSMessageID()).isEqualTo(message.header("message-id"));
    }

    @Test
    void aPatternOfTopicsHearsWhatJmsPublishesWithTheTopicItWasSentTo() throws Exception {
        stomp.subscribe("one", "/topic/a.*", "auto");
        stomp.subscribe("rest", "/topic/a.>", "auto");
        stomp.raw("SEND\ndestination:/topic/a.b.c\n\n1^@");
        StompFrame first = stomp.message(SOON);
        assertThat(first.headers()).containsEntry("subscription", "rest").containsEntry("destination", "/topic/a.b.c");
        try (MessageProducer producer = session.createProducer(session.createTopic("a.b"))) {
            producer.send(session.createTextMessage("2"));
        }
        assertThat(List.of(
                        stomp.message(SOON).headers().get("subscription"),
                        stomp.message(SOON).headers().get("subscription")))
                .containsExactlyInAnyOrder("one", "rest");
        stomp.raw("SEND\ndestination:/topic/a.*\n\nto a pattern^@");
        assertThat(stomp.awaitError(SOON).headers().get("message")).contains("wildcard");
    }
}
