package dev.turnstone.itests.openwire.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.itests.mqtt.crash.Child;
import dev.turnstone.testkit.transport.Ports;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Branches of global transactions through ActiveMQ's client, and the broker killed with -9 under them: what was
 * prepared is found by {@code recover} and has its outcome exactly once. {@code -Dcrash.kills=} kills more often,
 * {@code -Dcrash.seed=} at the same moments again.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class OpenWireXaCrashTest {
    private static final int KILLS = Integer.getInteger("crash.kills", 3);
    private static final long SEED = Long.getLong("crash.seed", System.nanoTime());
    private static final long PATIENCE_S = Long.getLong("crash.patienceS", 90);
    private static final int LIFE_MS_MIN = 50;
    private static final int LIFE_MS_MAX = 350;
    private static final int MOVERS = 3;
    private static final int MESSAGES = 40;
    private static final long RECEIVE_MS = 300;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @TempDir
    Path folder;

    private final List<XAConnection> clients = new ArrayList<>();
    private int port;
    private Child broker;

    @BeforeEach
    void choosePort() throws IOException {
        port = Ports.free();
    }

    private void start(String journal) throws IOException, InterruptedException {
        broker = new Child(
                        BrokerMain.class,
                        folder.resolve("data").toString(),
                        journal,
                        Integer.toString(port),
                        BrokerMain.Mutant.NONE.name())
                .awaitReady();
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        broker.close();
        for (XAConnection client : clients) {
            try {
                client.close();
            } catch (JMSException e) {
                // It has lost its connection, as the test wants.
                assertThat(e).isNotNull();
            }
        }
    }

    private Connection connect() throws JMSException {
        Connection connection = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port).createConnection();
        connection.start();
        return connection;
    }

    private void send(List<String> texts) throws JMSException {
        try (Connection connection = connect()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue(XaMover.ONE));
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
            session.commit();
        }
    }

    private List<String> rest(String... queues) throws JMSException {
        List<String> rest = new ArrayList<>();
        try (Connection connection = connect()) {
            Session session = connection.createSession();
            for (String queue : queues) {
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
                for (Message got = consumer.receive(RECEIVE_MS); got != null; got = consumer.receive(RECEIVE_MS)) {
                    rest.add(got.getBody(String.class));
                }
            }
        }
        return rest;
    }

    @ParameterizedTest
    @ValueSource(strings = {"artemis", "artemis-withholding"})
    void whatWasPreparedBeforeAKillIsRecoveredAndCommittedOnce(String journal) throws Exception {
        start(journal);
        send(List.of("done", "undone"));
        prepare("done");
        prepare("undone");
        broker.kill();
        start(journal);
        XAResource resource = client().createXASession().getXAResource();
        Xid[] found = resource.recover(XAResource.TMSTARTRSCAN);
        assertThat(found).hasSize(2);
        Xid done = isNamed(found[0], "done") ? found[0] : found[1];
        Xid undone = done == found[0] ? found[1] : found[0];
        resource.commit(done, false);
        broker.kill();
        start(journal);
        XAResource again = client().createXASession().getXAResource();
        assertThat(again.recover(XAResource.TMSTARTRSCAN)).hasSize(1);
        assertThatThrownBy(() -> again.commit(done, false))
                .isInstanceOfSatisfying(
                        XAException.class, e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_NOTA));
        again.rollback(undone);
        assertThat(again.recover(XAResource.TMSTARTRSCAN)).isEmpty();
        assertThat(rest(XaMover.OTHER)).containsExactly("done");
        assertThat(rest(XaMover.ONE)).containsExactly("undone");
    }

    private static boolean isNamed(Xid branch, String name) {
        return new String(branch.getGlobalTransactionId(), StandardCharsets.US_ASCII).equals(name);
    }

    /** One that loses its connection with the broker. */
    private XAConnection client() throws JMSException {
        XAConnection connection = XaMover.factory(port).createXAConnection();
        clients.add(connection);
        connection.start();
        return connection;
    }

    private void prepare(String name) throws JMSException, XAException {
        XASession session = client().createXASession();
        Xid branch = new XaMover.Branch(name);
        XAResource resource = session.getXAResource();
        resource.start(branch, XAResource.TMNOFLAGS);
        Message message =
                session.createConsumer(session.createQueue(XaMover.ONE)).receive(20_000);
        assertThat(message.getBody(String.class)).isEqualTo(name);
        session.createProducer(session.createQueue(XaMover.OTHER)).send(session.createTextMessage(name));
        resource.end(branch, XAResource.TMSUCCESS);
        assertThat(resource.prepare(branch)).isEqualTo(XAResource.XA_OK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"artemis", "artemis-withholding"})
    void eachMessageIsMovedExactlyOnceByEachBranchThatIsCommitted(String journal) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        start(journal);
        List<String> texts = IntStream.range(0, MESSAGES).mapToObj(i -> "m" + i).toList();
        send(texts);
        List<XaMover> movers = IntStream.range(0, MOVERS)
                .mapToObj(i -> new XaMover(port, "mover" + i))
                .toList();
        List<Future<Void>> ends = movers.stream().map(threads::submit).toList();
        for (int kill = 0; kill < KILLS; kill++) {
            int before = committed(movers);
            Awaitility.await().atMost(PATIENCE_S, TimeUnit.SECONDS).until(() -> committed(movers) > before);
            LockSupport.parkNanos(
                    TimeUnit.MICROSECONDS.toNanos(random.nextInt(1_000 * LIFE_MS_MIN, 1_000 * LIFE_MS_MAX)));
            broker.kill();
            start(journal);
        }
        movers.forEach(XaMover::stop);
        for (Future<Void> end : ends) {
            end.get(PATIENCE_S, TimeUnit.SECONDS);
        }
        System.out.printf(
                "OpenWire XA, %s, %d kills, -Dcrash.seed=%d: %d branches committed, %d of them recovered%n",
                journal,
                KILLS,
                SEED,
                committed(movers),
                movers.stream().mapToInt(XaMover::recovered).sum());
        assertThat(rest(XaMover.ONE, XaMover.OTHER, "DLQ")).containsExactlyInAnyOrderElementsOf(texts);
    }

    private static int committed(List<XaMover> movers) {
        return movers.stream().mapToInt(XaMover::committed).sum();
    }
}
