package dev.turnstone.itests.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.UserProperties;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who gets what: message groups, exclusive consumers, priorities of consumers. */
class ConsumersTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    Path data;

    @Test
    void aGroupStaysWithItsConsumerWhateverTheProtocol() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            Session jms = meeting.session();
            StompClient stomp = meeting.stomp();
            StompClient sender = meeting.stomp();
            MessageConsumer consumer = jms.createConsumer(jms.createQueue("q"));
            sender.sendConfirmed("/queue/q", "x1", "JMSXGroupID", "x", "JMSXGroupSeq", "1");
            Message first = consumer.receive(Meeting.SOON_MS);
            assertThat(first.getBooleanProperty("JMSXGroupFirstForConsumer")).isTrue();
            assertThat(first.getStringProperty("JMSXGroupID")).isEqualTo("x");
            assertThat(first.getIntProperty("JMSXGroupSeq")).isEqualTo(1);
            stomp.subscribe("s", "/queue/q", "auto");
            sender.sendConfirmed("/queue/q", "x2", "JMSXGroupID", "x", "JMSXGroupSeq", "2");
            sender.sendConfirmed("/queue/q", "x3", "JMSXGroupID", "x", "JMSXGroupSeq", "-1");
            Message second = consumer.receive(Meeting.SOON_MS);
            assertThat(second.getBody(String.class)).isEqualTo("x2");
            assertThat(second.propertyExists("JMSXGroupFirstForConsumer")).isFalse();
            assertThat(consumer.receive(Meeting.SOON_MS).getIntProperty("JMSXGroupSeq"))
                    .isEqualTo(-1);
            consumer.close();
            sender.sendConfirmed("/queue/q", "x4", "JMSXGroupID", "x");
            StompFrame frame = stomp.message(SOON);
            assertThat(frame.text()).isEqualTo("x4");
            assertThat(frame.header("JMSXGroupFirstForConsumer")).isEqualTo("true");
        }
    }

    @Test
    void anMqttClientMaySayTheGroup() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            Session jms = meeting.session();
            MessageConsumer one = jms.createSharedConsumer(jms.createTopic("a.b"), "workers");
            MessageConsumer two = meeting.session().createSharedConsumer(jms.createTopic("a.b"), "workers");
            MqttPeer mqtt = meeting.mqtt("m");
            for (int i = 1; i <= 3; i++) {
                MqttProperties properties = new MqttProperties();
                UserProperties users = new UserProperties();
                users.add("JMSXGroupID", "g");
                users.add("JMSXGroupSeq", i == 3 ? "-1" : "" + i);
                properties.add(users);
                mqtt.publish("a/b", "m" + i, 1, i, false, false, properties);
                mqtt.await(MqttMessageType.PUBACK, i);
            }
            MessageConsumer owner = one;
            Message first = one.receive(500);
            if (first == null) {
                owner = two;
                first = two.receive(Meeting.SOON_MS);
            }
            assertThat(first.getBooleanProperty("JMSXGroupFirstForConsumer")).isTrue();
            assertThat(owner.receive(Meeting.SOON_MS).getIntProperty("JMSXGroupSeq"))
                    .isEqualTo(2);
            assertThat(owner.receive(Meeting.SOON_MS).getIntProperty("JMSXGroupSeq"))
                    .isEqualTo(-1);
        }
    }

    @Test
    void aPlaceInAGroupIsHandedOnIfItWasGivenAndOnlyThen() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            Session jms = meeting.session();
            MessageConsumer consumer = jms.createConsumer(jms.createQueue("q"));
            StompClient stomp = meeting.stomp();
            stomp.sendConfirmed("/queue/q", "1", "JMSXGroupID", "x");
            stomp.sendConfirmed("/queue/q", "2", "JMSXGroupSeq", "7");
            assertThat(consumer.receive(Meeting.SOON_MS).propertyExists("JMSXGroupSeq"))
                    .isFalse();
            Message alone = consumer.receive(Meeting.SOON_MS);
            assertThat(alone.getIntProperty("JMSXGroupSeq")).isEqualTo(7);
            consumer.close();
            jms.createProducer(alone.getJMSDestination()).send(alone);
            Meeting.send(jms, "q", "3", "y");
            stomp.subscribe("s", "/queue/q", "auto", "selector", "JMSXGroupSeq = 7 OR JMSXGroupID = 'y'");
            assertThat(stomp.message(SOON).header("JMSXGroupSeq")).isEqualTo("7");
            assertThat(stomp.message(SOON).header("JMSXGroupSeq")).isNull();
        }
    }

    @Test
    void anExclusiveConsumerIsAskedForByItsDestination() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            Session jms = meeting.session();
            MessageConsumer any = jms.createConsumer(jms.createQueue("q"));
            MessageConsumer exclusive = meeting.session().createConsumer(jms.createQueue("q?consumer.exclusive=true"));
            StompClient next = meeting.stomp();
            next.subscribe("s", "/queue/q", "auto", "exclusive", "true");
            for (int i = 1; i <= 3; i++) {
                Meeting.send(jms, "q", "m" + i, null);
                assertThat(Meeting.next(exclusive)).isEqualTo("m" + i);
            }
            assertThat(Meeting.nothing(any)).isNull();
            exclusive.close();
            Meeting.send(jms, "q", "m4", null);
            assertThat(next.message(SOON).text()).isEqualTo("m4");
        }
    }

    @Test
    void aQueueMayBeExclusiveBySetting() throws Exception {
        try (Meeting meeting = new Meeting(data, "addresses.queue:q.exclusive=true")) {
            Session jms = meeting.session();
            MessageConsumer first = jms.createConsumer(jms.createQueue("q"));
            MessageConsumer second = meeting.session().createConsumer(jms.createQueue("q"));
            Meeting.send(jms, "q", "1", null);
            Meeting.send(jms, "q", "2", null);
            assertThat(Meeting.next(first)).isEqualTo("1");
            assertThat(Meeting.next(first)).isEqualTo("2");
            first.close();
            Meeting.send(jms, "q", "3", null);
            assertThat(Meeting.next(second)).isEqualTo("3");
        }
    }

    @Test
    void aHigherPriorityGetsEverythingWhileItKeepsUp() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            Session jms = meeting.session();
            StompClient low = meeting.stomp();
            low.subscribe("s", "/queue/q", "auto", "consumer-priority", "-5");
            MessageConsumer high = jms.createConsumer(jms.createQueue("q?consumer.priority=10"));
            for (int i = 1; i <= 5; i++) {
                Meeting.send(jms, "q", "m" + i, null);
                assertThat(Meeting.next(high)).isEqualTo("m" + i);
            }
            high.close();
            Meeting.send(jms, "q", "m6", null);
            assertThat(low.message(SOON).text()).isEqualTo("m6");
        }
    }

    @Test
    void wrongOptionsAreRefusedAndNamed() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            Session jms = meeting.session();
            assertThatThrownBy(() -> jms.createQueue("q?consumer.prefech=3"))
                    .isInstanceOf(InvalidDestinationException.class)
                    .hasMessageContaining("consumer.prefech")
                    .hasMessageContaining("consumer.exclusive");
            assertThatThrownBy(() -> jms.createQueue("q?consumer.priority=high"))
                    .isInstanceOf(InvalidDestinationException.class);
            assertThat(jms.createQueue("what?").getQueueName()).isEqualTo("what?");
            assertThat(jms.createQueue("q?consumer.exclusive=true")).isEqualTo(jms.createQueue("q"));
            StompClient stomp = meeting.stomp();
            stomp.command("SUBSCRIBE", null, "id", "1", "destination", "/queue/q", "consumer-priority", "1000");
            assertThat(stomp.awaitError(SOON).header("message")).contains("consumer-priority");
        }
    }
}
