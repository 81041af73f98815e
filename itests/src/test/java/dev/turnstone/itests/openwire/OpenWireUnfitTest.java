package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.itests.security.SecuredConnector;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages of other protocols that no command of OpenWire holds: they end nobody's connection. */
@Timeout(60)
final class OpenWireUnfitTest {
    private static final int FRAME = 16 << 20;
    private static final String REASON = "JMS_TURNSTONE_EXCEPTION";

    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    private Connection local;
    private Session inside;
    private Queue queue;

    @BeforeEach
    void open() throws JMSException {
        SecuredConnector.serve(broker.data(), broker.broker().broker());
        local = new TurnstoneConnectionFactory(SecuredConnector.url(broker.data())).createConnection();
        local.start();
        inside = local.createSession();
        queue = inside.createQueue("unfit");
    }

    @AfterEach
    void close() throws JMSException {
        local.close();
    }

    /** The message becomes a dead letter for this reason, and the consumer goes on. */
    private void assertUnfit(Message message, String reason) throws JMSException {
        MessageConsumer consumer = broker.session().createConsumer(queue);
        inside.createProducer(queue).send(message);
        inside.createProducer(queue).send(inside.createTextMessage("behind"));
        assertThat(ActiveMq.text(consumer)).isEqualTo("behind");
        Message dead = inside.createConsumer(inside.createQueue("DLQ")).receive(ActiveMq.SOON_MS);
        assertThat(dead.getStringProperty(REASON)).contains(reason);
    }

    @Test
    void aCorrelationOfBytesThatIsTooLongAsTextIsADeadLetter() throws JMSException {
        byte[] correlation = new byte[17_000];
        Arrays.fill(correlation, (byte) 0xff);
        Message message = inside.createMessage();
        message.setJMSCorrelationIDAsBytes(correlation);
        assertUnfit(message, "correlation identifier of 34000 bytes");
    }

    @Test
    void aCorrelationOfManyWideCharactersIsADeadLetter() throws JMSException {
        Message message = inside.createMessage();
        message.setJMSCorrelationID("\ud83d\ude00".repeat(5_600));
        assertUnfit(message, "correlation identifier of 33600 bytes");
    }

    @Test
    void theLongestTextsThatOpenWireHoldsCross() throws JMSException {
        String most = "\u20ac".repeat(10_890);
        Message message = inside.createTextMessage("fits");
        message.setJMSCorrelationID(most);
        inside.createProducer(queue).send(message);
        Message got = broker.session().createConsumer(queue).receive(ActiveMq.SOON_MS);
        assertThat(got.getJMSCorrelationID()).isEqualTo(most);
    }

    @Test
    void aMapWithANameThatIsTooLongIsADeadLetter() throws JMSException {
        MapMessage message = inside.createMapMessage();
        message.setInt("n".repeat(70_000), 1);
        assertUnfit(message, "a name of 70000 bytes");
    }

    @Test
    void topicsWithQuestionMarksHaveNamesThatOneCanAnswerTo() throws JMSException {
        Session session = broker.session();
        MessageConsumer all = session.createConsumer(session.createTopic("odd.>"));
        for (String name : new String[] {"odd.a?b=%zz", "odd.a?b=c", "odd.a%3Fb", "odd.%253F?"}) {
            Topic topic = inside.createTopic(name);
            MessageConsumer answers = inside.createConsumer(topic);
            TextMessage question = inside.createTextMessage(name);
            question.setJMSReplyTo(topic);
            inside.createProducer(topic).send(question);
            assertThat(ActiveMq.text(answers)).isEqualTo(name);
            Message got = all.receive(ActiveMq.SOON_MS);
            assertThat(got.getJMSReplyTo()).isEqualTo(got.getJMSDestination());
            session.createProducer(got.getJMSDestination()).send(session.createTextMessage("!"));
            assertThat(ActiveMq.text(answers)).isEqualTo("!");
            assertThat(ActiveMq.text(all)).isEqualTo("!");
        }
    }

    @Test
    void whatIsTooLargeIsADeadLetterThoughSomebodyElseHasHadIt() throws JMSException {
        for (int length : new int[] {FRAME - 1, FRAME + 1}) {
            BytesMessage message = inside.createBytesMessage();
            message.writeBytes(new byte[length]);
            inside.createProducer(queue).send(message);
        }
        inside.createProducer(queue).send(inside.createTextMessage("behind"));
        Session first = local.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer seeing = first.createConsumer(queue);
        assertThat(seeing.receive(ActiveMq.SOON_MS)).isNotNull();
        assertThat(seeing.receive(ActiveMq.SOON_MS)).isNotNull();
        first.recover();
        first.close();
        Session session =
                broker.connect(broker.factory("?jms.prefetchPolicy.all=1")).createSession();
        assertThat(ActiveMq.text(session.createConsumer(queue))).isEqualTo("behind");
        MessageConsumer dead = inside.createConsumer(inside.createQueue("DLQ"));
        assertThat(dead.receive(ActiveMq.SOON_MS).getStringProperty(REASON)).contains("frameBytesMax");
        assertThat(dead.receive(ActiveMq.SOON_MS).getStringProperty(REASON)).contains("wholeBytesMax");
    }
}
