package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What topics retain is there for retroactive consumers of ActiveMQ's client. */
class RetroactiveConsumersTest {
    @RegisterExtension
    final ActiveMq activeMq = new ActiveMq();

    private static void publish(Session session, String topic, String text, boolean retain) throws JMSException {
        Message message = session.createTextMessage(text);
        message.setBooleanProperty("JMS_TURNSTONE_RETAIN", retain);
        session.createProducer(session.createTopic(topic)).send(message);
    }

    @Test
    void aRetroactiveConsumerBeginsWithWhatIsRetainedAndOthersDoNot() throws JMSException {
        Session session = activeMq.session();
        publish(session, "site.a", "a", true);
        publish(session, "site.b", "b", true);
        publish(session, "site.b", "passed", false);
        MessageConsumer asks = session.createConsumer(session.createTopic("site.*?consumer.retroactive=true"));
        MessageConsumer doesNot = activeMq.session().createConsumer(session.createTopic("site.*"));
        publish(session, "site.a", "live", false);
        assertThat(ActiveMq.text(asks)).isEqualTo("a");
        assertThat(ActiveMq.text(asks)).isEqualTo("b");
        assertThat(ActiveMq.text(asks)).isEqualTo("live");
        assertThat(ActiveMq.text(doesNot)).isEqualTo("live");
    }

    @Test
    void whatWasRetainedIsMarkedAndWhatIsLiveIsNot() throws JMSException {
        Session session = activeMq.session();
        Message kept = session.createTextMessage("kept");
        kept.setBooleanProperty("ActiveMQ.Retain", true);
        session.createProducer(session.createTopic("site.a")).send(kept);
        MessageConsumer asks = session.createConsumer(session.createTopic("site.a?consumer.retroactive=true"));
        Message retained = asks.receive(ActiveMq.SOON_MS);
        assertThat(retained.getBody(String.class)).isEqualTo("kept");
        assertThat(retained.getBooleanProperty("ActiveMQ.Retained")).isTrue();
        assertThat(retained.getBooleanProperty("JMS_TURNSTONE_RETAINED")).isTrue();
        publish(session, "site.a", "live", true);
        Message live = asks.receive(ActiveMq.SOON_MS);
        assertThat(live.getBody(String.class)).isEqualTo("live");
        assertThat(live.propertyExists("ActiveMQ.Retained")).isFalse();

        session.createProducer(session.createQueue("q")).send(retained);
        Message sentOn = session.createConsumer(session.createQueue("q")).receive(ActiveMq.SOON_MS);
        assertThat(sentOn.propertyExists("ActiveMQ.Retained")).isFalse();
        assertThat(sentOn.propertyExists("JMS_TURNSTONE_RETAINED")).isFalse();
    }
}
