package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.spi.Principal;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.Map;
import org.apache.activemq.command.ActiveMQMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that say who has sent them, whatever their senders say. */
@Timeout(60)
final class OpenWireUserIdTest {
    private static final String USER_ID = "JMSXUserID";

    @RegisterExtension
    private final ActiveMq broker = new ActiveMq(Map.of("populateJMSXUserID", "true"));

    @ParameterizedTest
    @ValueSource(strings = {"", "a property", "the field"})
    void theBrokerNamesTheUser(String claimed) throws JMSException {
        Session session = broker.session();
        Queue queue = session.createQueue("named");
        Message message = session.createTextMessage("m");
        if (claimed.equals("the field")) {
            ((ActiveMQMessage) message).setUserID("somebody else");
        } else if (!claimed.isEmpty()) {
            message.setStringProperty(USER_ID, "somebody else");
        }
        session.createProducer(queue).send(message);
        Message got = session.createConsumer(queue).receive(ActiveMq.SOON_MS);
        assertThat(got.getStringProperty(USER_ID)).isEqualTo(Principal.ANONYMOUS);
        assertThat(((ActiveMQMessage) got).getUserID()).isEqualTo(Principal.ANONYMOUS);
    }

    @Test
    void selectorsSeeIt() throws JMSException {
        Session session = broker.session();
        Queue queue = session.createQueue("chosen");
        ActiveMq.send(session, queue, "m");
        MessageConsumer others = session.createConsumer(queue, USER_ID + " = 'nobody'");
        MessageConsumer own = session.createConsumer(queue, USER_ID + " = '" + Principal.ANONYMOUS + "'");
        assertThat(ActiveMq.text(own)).isEqualTo("m");
        assertThat(ActiveMq.text(others, ActiveMq.A_WHILE_MS)).isNull();
    }
}
