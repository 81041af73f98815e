package dev.turnstone.itests.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.binding.Binding;
import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.port.Address;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.stomp.StompClient;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import jakarta.jms.CompletionListener;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the sender of a mandatory message is told in each protocol if nobody gets it, and who gets it instead. */
class MandatoryTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int NO_MATCHING_SUBSCRIBERS = 0x10;

    @TempDir
    Path data;

    private static Message mandatory(Session session, String text) throws JMSException {
        Message message = session.createTextMessage(text);
        message.setBooleanProperty("JMS_TURNSTONE_MANDATORY", true);
        return message;
    }

    private static void publish(MqttPeer peer, String topic, int qos, int packetId) throws IOException {
        MqttProperties properties = new MqttProperties();
        properties.add(new MqttProperties.UserProperty("mandatory", "true"));
        peer.publish(topic, "m", qos, packetId, false, false, properties);
    }

    @Test
    void aSenderOfJakartaMessagingGetsAnException() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            Session session = meeting.session();
            MessageProducer producer = session.createProducer(session.createTopic("t"));
            Message message = mandatory(session, "1");
            assertThatThrownBy(() -> producer.send(message))
                    .isInstanceOf(InvalidDestinationException.class)
                    .extracting(e -> ((JMSException) e).getErrorCode())
                    .isEqualTo("NO_ROUTE");
            MessageConsumer consumer = meeting.session().createConsumer(session.createTopic("t"));
            producer.send(mandatory(session, "2"));
            assertThat(Meeting.next(consumer)).isEqualTo("2");
        }
    }

    @Test
    void anAsynchronousSenderHearsItFromItsListener() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            Session session = meeting.session();
            CompletableFuture<Exception> heard = new CompletableFuture<>();
            session.createProducer(session.createTopic("t")).send(mandatory(session, "1"), new CompletionListener() {
                @Override
                public void onCompletion(Message message) {
                    heard.complete(new IllegalStateException("confirmed"));
                }

                @Override
                public void onException(Message message, Exception exception) {
                    heard.complete(exception);
                }
            });
            assertThat(heard.get(10, TimeUnit.SECONDS)).isInstanceOf(InvalidDestinationException.class);
        }
    }

    @Test
    void aTransactionWithOneThatNobodyGetsRollsBackAsAWhole() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            Session session = meeting.session(Session.SESSION_TRANSACTED);
            Meeting.send(session, "q", "with it", null);
            session.createProducer(session.createTopic("t")).send(mandatory(session, "1"));
            assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);
            Session other = meeting.session();
            assertThat(Meeting.nothing(other.createConsumer(other.createQueue("q"))))
                    .isNull();
        }
    }

    @Test
    void aContextsProducerMayBeMandatoryForAllThatItSends() throws Exception {
        try (Meeting meeting = new Meeting(data);
                JMSContext context = meeting.context()) {
            assertThatThrownBy(() -> context.createProducer()
                            .setProperty("JMS_TURNSTONE_MANDATORY", true)
                            .send(context.createTopic("t"), "1"))
                    .isInstanceOf(jakarta.jms.InvalidDestinationRuntimeException.class);
        }
    }

    @Test
    void aSenderOverStompGetsAnError() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            StompClient sender = meeting.stomp();
            sender.send("/topic/t", "1", "mandatory", "true");
            assertThat(sender.awaitError(SOON).header("error-code")).isEqualTo("NO_ROUTE");
            StompClient subscriber = meeting.stomp();
            subscriber.subscribe("s", "/topic/t", "auto");
            meeting.stomp().sendConfirmed("/topic/t", "2", "mandatory", "true");
            assertThat(subscriber.message(SOON).text()).isEqualTo("2");
        }
    }

    @Test
    void aPublisherOverMqttIsToldThatThereAreNoMatchingSubscribers() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            MqttPeer peer = meeting.mqtt("p");
            publish(peer, "t", 1, 1);
            assertThat(peer.await(MqttMessageType.PUBACK, 1)).isEqualTo(NO_MATCHING_SUBSCRIBERS);
            publish(peer, "t", 2, 2);
            assertThat(peer.await(MqttMessageType.PUBREC, 2)).isEqualTo(NO_MATCHING_SUBSCRIBERS);
            peer.ack(MqttMessageType.PUBREL, 2);
            assertThat(peer.await(MqttMessageType.PUBCOMP, 2)).isZero();
            Session session = meeting.session();
            MessageConsumer consumer = session.createConsumer(session.createTopic("t"));
            publish(peer, "t", 2, 2);
            assertThat(peer.await(MqttMessageType.PUBREC, 2)).isZero();
            peer.ack(MqttMessageType.PUBREL, 2);
            assertThat(peer.await(MqttMessageType.PUBCOMP, 2)).isZero();
            assertThat(consumer.receive(Meeting.SOON_MS)).isNotNull();
            assertThat(Meeting.nothing(consumer)).isNull();
        }
    }

    @Test
    void anAlternateAddressCountsAsSomebodyAndGetsOnlyWhatNobodyElseGets() throws Exception {
        Binding alternate = new Binding(Address.topic("t"), null, Address.queue("unrouted"), Binding.Mode.ALTERNATE);
        try (Meeting meeting = new Meeting(data, new Bindings(List.of(alternate), List.of()))) {
            Session session = meeting.session();
            session.createProducer(session.createTopic("t")).send(mandatory(session, "jms"));
            meeting.stomp().sendConfirmed("/topic/t", "stomp", "mandatory", "true");
            MqttPeer peer = meeting.mqtt("p");
            publish(peer, "t", 1, 1);
            assertThat(peer.await(MqttMessageType.PUBACK, 1)).isZero();
            MessageConsumer taken = meeting.session().createConsumer(session.createTopic("t"));
            session.createProducer(session.createTopic("t")).send(mandatory(session, "taken"));
            assertThat(Meeting.next(taken)).isEqualTo("taken");
            MessageConsumer unrouted = session.createConsumer(session.createQueue("unrouted"));
            assertThat(Meeting.next(unrouted)).isEqualTo("jms");
            assertThat(Meeting.next(unrouted)).isEqualTo("stomp");
            assertThat(unrouted.receive(Meeting.SOON_MS)).isNotNull();
            assertThat(Meeting.nothing(unrouted)).isNull();
        }
    }
}
