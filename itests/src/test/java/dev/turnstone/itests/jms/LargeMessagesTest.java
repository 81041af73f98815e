package dev.turnstone.itests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages with bodies that are too large for one piece. */
@Timeout(120)
final class LargeMessagesTest {
    private static final int LENGTH = (3 << 20) + 17;
    private static final long SOON_MS = 20_000;

    @TempDir
    private Path folder;

    private EmbeddedBroker broker;
    private Connection connection;
    private Session session;
    private Queue queue;

    @BeforeEach
    void start() throws JMSException {
        Limits limits = Limits.DEFAULTS.with(Limit.MESSAGE_LARGE_BYTES_MAX, 8 << 20);
        broker = EmbeddedBroker.start(BrokerSettings.in(folder.resolve("data")).withLimits(limits));
        broker.share();
        connect();
    }

    private void connect() throws JMSException {
        String url = "vm://?data=" + folder.resolve("data");
        connection = new TurnstoneConnectionFactory(url).createConnection();
        connection.start();
        session = connection.createSession();
        queue = session.createQueue("q");
    }

    @AfterEach
    void stop() throws JMSException {
        connection.close();
        broker.close();
    }

    private static byte[] content(int seed) {
        byte[] bytes = new byte[LENGTH];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private void send(byte[] content) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.setStringProperty("colour", "red");
        message.writeInt(content.length);
        message.writeBytes(content);
        try (MessageProducer producer = session.createProducer(queue)) {
            producer.send(message);
        }
    }

    private static byte[] read(Message received) throws JMSException {
        BytesMessage message = (BytesMessage) received;
        byte[] all = new byte[message.readInt()];
        assertThat(message.readBytes(all)).isEqualTo(all.length);
        assertThat(message.readBytes(new byte[1])).isEqualTo(-1);
        return all;
    }

    private Message receive() throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            Message message = consumer.receive(SOON_MS);
            assertThat(message).isNotNull();
            return message;
        }
    }

    private int chunks() {
        String[] names = folder.resolve("data/pages").toFile().list((pages, name) -> name.startsWith("4"));
        return names == null ? 0 : names.length;
    }

    private void awaitNoChunks() throws JMSException {
        session.close();
        await().atMost(Duration.ofSeconds(20)).until(() -> chunks() == 0);
    }

    @Test
    void itIsReadAfterItsAcknowledgementAndReadAgain() throws JMSException {
        byte[] content = content(1);
        send(content);
        assertThat(chunks()).isEqualTo(7);
        BytesMessage received = (BytesMessage) receive();
        assertThat(received.getStringProperty("colour")).isEqualTo("red");
        assertThat(received.getBodyLength()).isEqualTo(LENGTH + 4);
        assertThat(read(received)).isEqualTo(content);
        assertThatThrownBy(received::readByte).isInstanceOf(MessageEOFException.class);
        received.reset();
        assertThat(read(received)).isEqualTo(content);
        assertThat(Arrays.copyOfRange(received.getBody(byte[].class), 4, LENGTH + 4))
                .isEqualTo(content);
        awaitNoChunks();
        received.reset();
        assertThatThrownBy(received::readByte).isInstanceOf(JMSException.class);
    }

    @Test
    void allKindsOfBodiesMayBeLarge() throws JMSException, IOException {
        byte[] content = content(2);
        String text = "g\u00fcn\u00e7 ".repeat(500_000);
        MapMessage map = session.createMapMessage();
        map.setBytes("b", content);
        StreamMessage stream = session.createStreamMessage();
        stream.writeBytes(content);
        stream.writeInt(5);
        ObjectMessage object = session.createObjectMessage(text);
        try (MessageProducer producer = session.createProducer(queue)) {
            producer.send(session.createTextMessage(text));
            producer.send(map);
            producer.send(stream);
            producer.send(object);
        }
        stop();
        broker = EmbeddedBroker.start(BrokerSettings.in(folder.resolve("data")));
        broker.share();
        connect();
        assertThat(((TextMessage) receive()).getText()).isEqualTo(text);
        assertThat(((MapMessage) receive()).getBytes("b")).isEqualTo(content);
        StreamMessage streamed = (StreamMessage) receive();
        assertThat(streamed.readObject()).isEqualTo(content);
        assertThat(streamed.readInt()).isEqualTo(5);
        assertThat(((ObjectMessage) receive()).getObject()).isEqualTo(text);
        awaitNoChunks();
    }

    /** Only what is read as a stream stays with the broker. */
    @Test
    void bodiesThatAreNoStreamsStayReadableForGood() throws JMSException {
        byte[] content = content(9);
        MapMessage map = session.createMapMessage();
        map.setBytes("b", content);
        StreamMessage stream = session.createStreamMessage();
        stream.writeBytes(content);
        List<Message> sent = new ArrayList<>(List.of(map, stream, session.createObjectMessage("o".repeat(LENGTH))));
        for (int i = 0; i < 4; i++) {
            sent.add(session.createTextMessage(("" + i).repeat(LENGTH)));
        }
        try (MessageProducer producer = session.createProducer(queue)) {
            for (Message message : sent) {
                producer.send(message);
            }
        }
        List<Message> received = new ArrayList<>();
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            for (int i = 0; i < sent.size(); i++) {
                received.add(consumer.receive(SOON_MS));
            }
        }
        awaitNoChunks();
        connection.close();
        assertThat(((MapMessage) received.get(0)).getBytes("b")).isEqualTo(content);
        assertThat(((StreamMessage) received.get(1)).readObject()).isEqualTo(content);
        assertThat(((ObjectMessage) received.get(2)).getObject()).isEqualTo("o".repeat(LENGTH));
        for (int i = 0; i < 4; i++) {
            assertThat(received.get(3 + i).getBody(String.class)).isEqualTo(("" + i).repeat(LENGTH));
        }
    }

    @Test
    void whatIsLongerThanTheSettingIsNotFetchedAndReadWhileItIsThere() throws JMSException {
        connection.close();
        String url = "vm://?wholeBytesMax=" + (LENGTH - 1) + "&data=" + folder.resolve("data");
        connection = new TurnstoneConnectionFactory(url).createConnection();
        connection.start();
        session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        queue = session.createQueue("q");
        session.createProducer(queue).send(session.createTextMessage("x".repeat(LENGTH)));
        MessageConsumer consumer = session.createConsumer(queue);
        Message read = consumer.receive(SOON_MS);
        assertThat(read.getBody(String.class)).hasSize(LENGTH);
        session.recover();
        Message unread = consumer.receive(SOON_MS);
        unread.acknowledge();
        awaitNoChunks();
        assertThat(read.getBody(String.class)).hasSize(LENGTH);
        assertThatThrownBy(() -> unread.getBody(String.class)).isInstanceOf(JMSException.class);
    }

    @Test
    void whatWasReceivedIsSentOn() throws JMSException {
        byte[] content = content(3);
        send(content);
        Message received = receive();
        Queue other = session.createQueue("other");
        session.createProducer(other).send(received);
        try (MessageConsumer consumer = session.createConsumer(other)) {
            assertThat(read(consumer.receive(SOON_MS))).isEqualTo(content);
        }
    }

    @Test
    void transactionsAndBrowsersHaveIt() throws Exception {
        byte[] content = content(4);
        try (Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            BytesMessage message = transacted.createBytesMessage();
            message.writeInt(LENGTH);
            message.writeBytes(content);
            MessageProducer producer = transacted.createProducer(queue);
            producer.send(message);
            transacted.rollback();
            await().atMost(Duration.ofSeconds(20)).until(() -> chunks() == 0);
            producer.send(message);
            transacted.commit();
        }
        try (QueueBrowser browser = session.createBrowser(queue)) {
            assertThat(read((Message) browser.getEnumeration().nextElement())).isEqualTo(content);
        }
        try (Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            MessageConsumer consumer = transacted.createConsumer(queue);
            assertThat(read(consumer.receive(SOON_MS))).isEqualTo(content);
            transacted.rollback();
            Message again = consumer.receive(SOON_MS);
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThat(read(again)).isEqualTo(content);
            transacted.rollback();
        }
    }

    @Test
    void aListenerHasIt() throws Exception {
        byte[] content = content(8);
        send(content);
        CompletableFuture<byte[]> heard = new CompletableFuture<>();
        try (Session listening = connection.createSession()) {
            listening.createConsumer(queue).setMessageListener(message -> {
                try {
                    heard.complete(read(message));
                } catch (JMSException e) {
                    heard.completeExceptionally(e);
                }
            });
            assertThat(heard.get(SOON_MS, TimeUnit.MILLISECONDS)).isEqualTo(content);
        }
        awaitNoChunks();
    }

    @Test
    void eachSubscriberReadsForItself() throws JMSException {
        byte[] content = content(5);
        Topic topic = session.createTopic("t");
        MessageConsumer one = session.createConsumer(topic);
        try (Session second = connection.createSession()) {
            MessageConsumer two = second.createConsumer(topic);
            BytesMessage message = session.createBytesMessage();
            message.writeInt(LENGTH);
            message.writeBytes(content);
            session.createProducer(topic).send(message);
            Message atOne = one.receive(SOON_MS);
            Message atTwo = two.receive(SOON_MS);
            assertThat(chunks()).isEqualTo(7);
            assertThat(read(atOne)).isEqualTo(content);
            assertThat(read(atTwo)).isEqualTo(content);
        }
        awaitNoChunks();
    }

    @Test
    void aBodyBeyondTheLimitIsRefusedAndLeavesNothing() throws JMSException {
        BytesMessage message = session.createBytesMessage();
        for (int i = 0; i < 9; i++) {
            message.writeBytes(new byte[1 << 20]);
        }
        MessageProducer producer = session.createProducer(queue);
        assertThatThrownBy(() -> producer.send(message))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("message.largeBytesMax");
        assertThat(chunks()).isZero();
        send(content(6));
        assertThat(read(receive())).isEqualTo(content(6));
    }

    @Test
    void aSmallHeapIsEnough() throws Exception {
        throughSmallHeaps(64, "-Xmx20m");
    }

    @Test
    @Tag("full")
    @Timeout(900)
    void aGibibyteGoesThroughLessThan32MebibytesOfHeap() throws Exception {
        throughSmallHeaps(1024, "-Xmx31m");
    }

    private void throughSmallHeaps(int mebibytes, String heap) throws Exception {
        Path data = folder.resolve("child");
        String sent = child(LargeBodyMain.class, heap, "send", data, mebibytes);
        assertThat(sent).startsWith("RESULT " + ((long) mebibytes << 20) + " ");
        assertThat(child(LargeBodyMain.class, heap, "receive", data, mebibytes)).isEqualTo(sent);
        String[] left = data.resolve("pages").toFile().list();
        assertThat(left).as("storage is freed with the message").isEmpty();
    }

    @Test
    @Tag("full")
    void aTransactionOf200MebibytesGoesThroughASmallHeap() throws Exception {
        inOneTransaction(200, "-Xmx64m");
    }

    @Test
    void aTransactionLargerThanTheHeapGoesThroughIt() throws Exception {
        inOneTransaction(60, "-Xmx48m");
    }

    private void inOneTransaction(int mebibytes, String heap) throws Exception {
        Path data = folder.resolve("child");
        assertThat(child(LargeTransactionMain.class, heap, "abandon", data, mebibytes))
                .endsWith("abandoned");
        assertThat(child(LargeTransactionMain.class, heap, "receive", data, mebibytes))
                .startsWith("RESULT 0 ");
        assertThat(data.resolve("pages").toFile().list())
                .as("the pages of what was not committed")
                .isEmpty();

        String sent = child(LargeTransactionMain.class, heap, "send", data, mebibytes);
        assertThat(sent).startsWith("RESULT " + ((long) mebibytes << 20) + " ");
        assertThat(child(LargeTransactionMain.class, heap, "receive", data, mebibytes))
                .isEqualTo(sent);
        assertThat(data.resolve("pages").toFile().list())
                .as("the pages of what was consumed")
                .isEmpty();
    }

    static String child(Class<?> main, String heap, String what, Path data, int mebibytes) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        heap,
                        // The journal has its buffers outside of the heap, and the usual limit of that follows the
                        // heap.
                        "-XX:MaxDirectMemorySize=64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName(),
                        what,
                        data.toString(),
                        Integer.toString(mebibytes))
                .redirectErrorStream(true)
                .start();
        StringBuilder all = new StringBuilder();
        String result = "";
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                all.append(line).append('\n');
                result = line.startsWith("RESULT") ? line : result;
            }
        }
        assertThat(process.waitFor()).as(all.toString()).isZero();
        return result;
    }
}
