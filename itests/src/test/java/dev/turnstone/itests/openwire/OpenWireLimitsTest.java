package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.Map;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.LocalTransactionId;
import org.apache.activemq.command.MessageAck;
import org.apache.activemq.command.MessageDispatch;
import org.apache.activemq.command.TransactionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What one connection may have at most, and peers that are slow or silent. */
@Timeout(60)
final class OpenWireLimitsTest {
    private static final int MESSAGES = 500;
    private static final int BODY = 20_000;

    @RegisterExtension
    private final ActiveMq broker = new ActiveMq(Map.of(
            "consumersMax", "3",
            "producersMax", "2",
            "transactionsMax", "1",
            "prefetchMax", "100",
            "inactivityMs", "500"));

    @Test
    void moreConsumersAndProducersThanAllowedAreRefused() throws JMSException {
        Session session = broker.session();
        session.createConsumer(session.createQueue("a,b"));
        MessageConsumer third = session.createConsumer(session.createQueue("c.*"));
        assertThatThrownBy(() -> session.createConsumer(session.createQueue("d")))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("consumersMax");
        third.close();
        session.createConsumer(session.createQueue("d"));
        session.createProducer(session.createQueue("a"));
        session.createProducer(session.createQueue("a"));
        assertThatThrownBy(() -> session.createProducer(session.createQueue("a")))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("producersMax");
    }

    @Test
    void moreTransactionsThanAllowedAreRefused() throws IOException {
        try (WirePeer peer = new WirePeer(broker.port(), "ID:many").login()) {
            assertThat(peer.ask(begin(peer, 1)).isException()).isFalse();
            assertThat(peer.refusal(begin(peer, 2))).contains("transactionsMax");
        }
    }

    private static TransactionInfo begin(WirePeer peer, long number) {
        return new TransactionInfo(peer.id, new LocalTransactionId(peer.id, number), TransactionInfo.BEGIN);
    }

    @Test
    void whoHasLoggedInAndIsSilentForTwiceTheAgreedTimeIsEnded() throws IOException {
        try (WirePeer peer =
                new WirePeer(broker.port(), "ID:silent").speaksEvery(500).login()) {
            peer.awaitEnd();
        }
    }

    @Test
    void whoDoesNotReadHoldsUpNobodyAndGetsEverythingInTheEnd() throws Exception {
        Connection connection = broker.connect();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(session.createQueue("slow"));
        for (int i = 0; i < MESSAGES; i++) {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(new byte[BODY]);
            message.setIntProperty("n", i);
            producer.send(message);
        }
        session.commit();
        try (WirePeer slow = new WirePeer(broker.port(), "ID:slow").login()) {
            ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(slow.session(), 1));
            consumer.setDestination(new ActiveMQQueue("slow"));
            consumer.setPrefetchSize(MESSAGES);
            slow.tell(consumer);
            Session other = broker.session();
            ActiveMq.send(other, other.createQueue("quick"), "1");
            assertThat(ActiveMq.text(other.createConsumer(other.createQueue("quick"))))
                    .isEqualTo("1");
            for (int i = 0; i < MESSAGES; i++) {
                MessageDispatch dispatch = slow.dispatch();
                assertThat(dispatch.getMessage().getProperty("n")).isEqualTo(i);
                // The prefetch was cut to what the listener allows.
                slow.tell(new MessageAck(dispatch, MessageAck.STANDARD_ACK_TYPE, 1));
            }
        }
    }

    @Test
    void aProducerThatWaitsForNothingLosesNothing() throws JMSException {
        Session session =
                broker.connect(broker.factory("?jms.useAsyncSend=true")).createSession();
        MessageProducer producer = session.createProducer(session.createQueue("fast"));
        for (int i = 0; i < MESSAGES; i++) {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(new byte[BODY]);
            producer.send(message);
        }
        Session other = broker.session();
        MessageConsumer consumer = other.createConsumer(other.createQueue("fast"));
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(consumer.receive(ActiveMq.SOON_MS)).as("message %d", i).isNotNull();
        }
    }
}
