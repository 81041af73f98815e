package dev.turnstone.itests.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a topic retains is there for subscribers of every protocol that ask for it. */
class RetainedTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    Path data;

    private static void retain(Meeting meeting) throws Exception {
        MqttPeer peer = meeting.mqtt("p");
        peer.publish("site/a", "mqtt", 1, 1, false, true, MqttProperties.NO_PROPERTIES);
        assertThat(peer.await(MqttMessageType.PUBACK, 1)).isZero();
        meeting.stomp().sendConfirmed("/topic/site.b", "stomp", "retain", "true");
        Session session = meeting.session();
        Message message = session.createTextMessage("jms");
        message.setBooleanProperty("JMS_TURNSTONE_RETAIN", true);
        session.createProducer(session.createTopic("site.c")).send(message);
    }

    @Test
    void aConsumerOfJakartaMessagingAsksByTheDestinationsName() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            retain(meeting);
            Session session = meeting.session();
            Topic topic = session.createTopic("site.*?consumer.retained=true");
            assertThat(topic.getTopicName()).isEqualTo("site.*");
            MessageConsumer asks = session.createConsumer(topic);
            MessageConsumer doesNot = meeting.session().createConsumer(session.createTopic("site.*"));
            for (String topicOf : new String[] {"a", "b", "c"}) {
                Message message = asks.receive(Meeting.SOON_MS);
                assertThat(((Topic) message.getJMSDestination()).getTopicName()).isEqualTo("site." + topicOf);
                assertThat(message.getBooleanProperty("JMS_TURNSTONE_RETAINED")).isTrue();
            }
            meeting.stomp().sendConfirmed("/topic/site.b", "live", "retain", "true");
            Message live = asks.receive(Meeting.SOON_MS);
            assertThat(live.getBody(String.class)).isEqualTo("live");
            assertThat(live.propertyExists("JMS_TURNSTONE_RETAINED")).isFalse();
            assertThat(Meeting.next(doesNot)).isEqualTo("live");
        }
    }

    @Test
    void aDurableSubscriptionBeginsWithThemOnce() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            retain(meeting);
            Connection connection = meeting.another("client");
            Session session = connection.createSession();
            Topic topic = session.createTopic("site.c?consumer.retained=true");
            MessageConsumer first = session.createDurableConsumer(topic, "s");
            assertThat(Meeting.next(first)).isEqualTo("jms");
            first.close();
            MessageConsumer again = session.createDurableConsumer(topic, "s");
            assertThat(Meeting.nothing(again)).isNull();
        }
    }

    @Test
    void aStompSubscriberAsksByAHeader() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            retain(meeting);
            StompClient asks = meeting.stomp();
            asks.subscribe("s", "/topic/site.>", "auto", "retained", "true");
            for (String topicOf : new String[] {"a", "b", "c"}) {
                StompFrame message = asks.message(SOON);
                assertThat(message.header("destination")).isEqualTo("/topic/site." + topicOf);
                assertThat(message.header("retained")).isEqualTo("true");
            }
            meeting.stomp().sendConfirmed("/topic/site.b", "live");
            StompFrame live = asks.message(SOON);
            assertThat(live.text()).isEqualTo("live");
            assertThat(live.header("retained")).isNull();
        }
    }

    @Test
    void aMessageThatWasRetainedIsSentOnAsAnyOther() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            retain(meeting);
            Session session = meeting.session();
            MessageConsumer asks = session.createConsumer(session.createTopic("site.a?consumer.retained=true"));
            session.createProducer(session.createQueue("q")).send(asks.receive(Meeting.SOON_MS));
            Message forwarded = session.createConsumer(session.createQueue("q")).receive(Meeting.SOON_MS);
            assertThat(forwarded.propertyExists("JMS_TURNSTONE_RETAINED")).isFalse();
        }
    }
}
