package dev.turnstone.xa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.UserTransaction;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages and rows in one transaction. */
final class TransactionalFactoryTest {
    private static final long SOON_MS = 10_000;

    /** One for all: see {@link #anotherLogOrNodeInTheSameJvmIsRefused}. */
    @TempDir
    static Path log;

    @TempDir
    Path folder;

    private Shop shop;
    private UserTransaction tx;

    @BeforeEach
    void open() throws Exception {
        shop = new Shop(folder, log);
        tx = shop.narayana.userTransaction();
    }

    @AfterEach
    void close() throws Exception {
        if (tx.getStatus() != Status.STATUS_NO_TRANSACTION) {
            tx.rollback();
        }
        shop.close();
    }

    /** Takes an order, writes a row, sends a bill; closes all that it has used. */
    private String work() throws Exception {
        try (JMSContext context = shop.jms().createContext()) {
            JMSConsumer orders = context.createConsumer(context.createQueue("orders"));
            String order = orders.receiveBody(String.class, SOON_MS);
            shop.sell(order);
            context.createProducer().send(context.createQueue("bills"), "bill of " + order);
            return order;
        }
    }

    @Test
    void aMessageARowAndAnAnswerAreOneUnit() throws Exception {
        shop.send("orders", "boots", "hat");
        tx.begin();
        assertThat(work()).isEqualTo("boots");
        assertThat(shop.takeAll("bills")).isEmpty();
        assertThat(shop.sold()).isEmpty();
        tx.commit();
        assertThat(shop.takeAll("bills")).containsExactly("bill of boots");
        assertThat(shop.sold()).containsExactly("boots");
        tx.begin();
        assertThat(work()).isEqualTo("hat");
        tx.rollback();
        assertThat(shop.takeAll("bills")).isEmpty();
        assertThat(shop.sold()).containsExactly("boots");
        tx.begin();
        assertThat(work()).isEqualTo("hat");
        tx.commit();
        assertThat(shop.takeAll("orders")).isEmpty();
        assertThat(shop.sold()).containsExactly("boots", "hat");
        assertThat(shop.narayana.logged()).isZero();
    }

    @Test
    void theClassicApiTakesPartToo() throws Exception {
        shop.send("orders", "boots");
        tx.begin();
        try (Connection connection = shop.jms().createConnection()) {
            connection.start();
            Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            assertThat(session.getTransacted()).isTrue();
            MessageConsumer orders = session.createConsumer(session.createQueue("orders"));
            TextMessage order = (TextMessage) orders.receive(SOON_MS);
            MessageProducer bills = session.createProducer(session.createQueue("bills"));
            bills.send(session.createTextMessage("bill of " + order.getText()));
            shop.sell(order.getText());
        }
        assertThat(shop.takeAll("bills")).isEmpty();
        tx.commit();
        assertThat(shop.takeAll("bills")).containsExactly("bill of boots");
        assertThat(shop.takeAll("orders")).isEmpty();
    }

    @Test
    void severalConnectionsAndContextsWorkForOneBranch() throws Exception {
        tx.begin();
        try (JMSContext first = shop.jms().createContext();
                JMSContext second = shop.jms().createContext();
                Connection third = shop.jms().createConnection()) {
            first.createProducer().send(first.createQueue("bills"), "1");
            second.createProducer().send(second.createQueue("bills"), "2");
            Session session = third.createSession();
            session.createProducer(session.createQueue("bills")).send(session.createTextMessage("3"));
        }
        // With one branch and nothing else, the manager commits in one phase and writes no log.
        tx.commit();
        assertThat(shop.takeAll("bills")).containsExactly("1", "2", "3");
    }

    @Test
    void withoutATransactionEachStepTakesEffectByItself() throws Exception {
        shop.send("orders", "boots", "hat");
        try (JMSContext context = shop.jms().createContext(JMSContext.SESSION_TRANSACTED)) {
            assertThat(context.getTransacted()).isFalse();
            assertThat(context.getSessionMode()).isEqualTo(JMSContext.AUTO_ACKNOWLEDGE);
            context.createProducer().send(context.createQueue("bills"), "1");
            assertThat(shop.takeAll("bills")).containsExactly("1");
            JMSConsumer orders = context.createConsumer(context.createQueue("orders"));
            assertThat(orders.receiveBody(String.class, SOON_MS)).isEqualTo("boots");
            assertThatThrownBy(context::commit).isInstanceOf(IllegalStateRuntimeException.class);
        }
        shop.sell("boots");
        assertThat(shop.sold()).containsExactly("boots");
        assertThat(shop.takeAll("orders")).containsExactly("hat");
    }

    @Test
    void whatWasMadeBeforeTheTransactionTakesPartInIt() throws Exception {
        shop.send("orders", "boots");
        try (JMSContext context = shop.jms().createContext()) {
            JMSConsumer orders = context.createConsumer(context.createQueue("orders"));
            tx.begin();
            assertThat(orders.receiveBody(String.class, SOON_MS)).isEqualTo("boots");
            assertThatThrownBy(context::rollback).isInstanceOf(TransactionInProgressRuntimeException.class);
            tx.rollback();
            tx.begin();
            assertThat(orders.receiveBody(String.class, SOON_MS)).isEqualTo("boots");
            tx.commit();
            assertThat(orders.receiveBodyNoWait(String.class)).isNull();
        }
    }

    @Test
    void aSuspendedTransactionIsLeftAloneByAnotherWithTheSameContext() throws Exception {
        TransactionManager manager = shop.narayana.transactionManager();
        try (JMSContext context = shop.jms().createContext()) {
            manager.begin();
            context.createProducer().send(context.createQueue("bills"), "outer 1");
            Transaction outer = manager.suspend();
            context.createProducer().send(context.createQueue("bills"), "outside");
            manager.begin();
            context.createProducer().send(context.createQueue("bills"), "inner");
            manager.commit();
            assertThat(shop.takeAll("bills")).containsExactly("outside", "inner");
            manager.resume(outer);
            context.createProducer().send(context.createQueue("bills"), "outer 2");
            assertThat(shop.takeAll("bills")).isEmpty();
            manager.commit();
            assertThat(shop.takeAll("bills")).containsExactly("outer 1", "outer 2");
        }
    }

    @Test
    void aTransactionWhoseTimeIsOverDoesNothingMore() throws Exception {
        tx.setTransactionTimeout(1);
        tx.begin();
        try (JMSContext context = shop.jms().createContext()) {
            context.createProducer().send(context.createQueue("bills"), "lost");
            Awaitility.await()
                    .pollInSameThread()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> tx.getStatus() == Status.STATUS_ROLLEDBACK);
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue("bills"), "late"))
                    .isInstanceOf(TransactionRolledBackRuntimeException.class);
            assertThatThrownBy(tx::commit).isInstanceOf(RollbackException.class);
            context.createProducer().send(context.createQueue("bills"), "after");
        } finally {
            tx.setTransactionTimeout(0);
        }
        assertThat(shop.takeAll("bills")).containsExactly("after");
    }

    @Test
    void aTransactionThatIsToRollBackTakesNothingNew() throws Exception {
        tx.begin();
        tx.setRollbackOnly();
        try (JMSContext context = shop.jms().createContext()) {
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue("bills"), "no"))
                    .isInstanceOf(TransactionRolledBackRuntimeException.class);
        }
        tx.rollback();
        assertThat(shop.takeAll("bills")).isEmpty();
    }

    @Test
    void connectionsAreUsedAgainAndWhatWasClosedIsNot() throws Exception {
        for (int i = 0; i < 50; i++) {
            shop.send("orders", "item" + i);
            tx.begin();
            work();
            tx.commit();
        }
        assertThat(shop.sold()).hasSize(50);
        Connection connection = shop.jms().createConnection();
        Session session = connection.createSession();
        connection.close();
        assertThatThrownBy(session::createMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::createSession).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anotherLogOrNodeInTheSameJvmIsRefused() throws Exception {
        shop.narayana.close();
        assertThatThrownBy(() -> TurnstoneNarayana.start(NarayanaConfig.in(folder.resolve("tx"))))
                .isInstanceOf(java.lang.IllegalStateException.class)
                .hasMessageContaining(log.toRealPath().toString())
                .hasMessageContaining(folder.resolve("tx").toRealPath().toString());
        assertThatThrownBy(() -> TurnstoneNarayana.start(NarayanaConfig.in(log).withNodeId("other")))
                .isInstanceOf(java.lang.IllegalStateException.class)
                .hasMessageContaining("as node other");
        TurnstoneNarayana.start(NarayanaConfig.in(log)).close();
    }

    @Test
    void listenersAreRefused() {
        try (JMSContext context = shop.jms().createContext()) {
            JMSConsumer orders = context.createConsumer(context.createQueue("orders"));
            assertThatThrownBy(() -> orders.setMessageListener(message -> {}))
                    .isInstanceOf(IllegalStateRuntimeException.class)
                    .hasMessageContaining("transaction");
        }
    }

    @Test
    void anErrorInOneTransactionDoesNotReachTheNext() throws Exception {
        shop.sell("boots");
        for (int i = 0; i < 20; i++) {
            shop.send("orders", "boots", "hat" + i);
            tx.begin();
            assertThatThrownBy(this::work).isInstanceOf(java.sql.SQLException.class);
            tx.rollback();
            assertThat(shop.takeAll("orders")).containsExactly("boots", "hat" + i);
        }
        shop.send("orders", "hat");
        tx.begin();
        assertThat(work()).isEqualTo("hat");
        tx.commit();
        assertThat(shop.takeAll("bills")).containsExactly("bill of hat");
    }
}
