package dev.turnstone.jms;

import static dev.turnstone.jms.FakeJms.consumer;
import static dev.turnstone.jms.FakeJms.nothing;
import static dev.turnstone.jms.FakeJms.receive;
import static dev.turnstone.jms.FakeJms.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.ErrorCode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TransactionTest {
    private FakeJms jms;
    private Session session;

    @BeforeEach
    void connect() throws JMSException {
        jms = new FakeJms();
        session = jms.session(Session.SESSION_TRANSACTED);
    }

    @AfterEach
    void disconnect() throws JMSException {
        jms.close();
    }

    @Test
    void commitMakesSendsAndReceiptsOneUnit() throws JMSException {
        jms.send("in");
        MessageConsumer consumer = consumer(session);
        MessageProducer producer = session.createProducer(session.createQueue("out"));
        assertThat(text(consumer.receive())).isEqualTo("in");
        producer.send(session.createTextMessage("out"));
        assertThat(jms.broker.depth("queue:out")).isZero();
        session.commit();
        assertThat(jms.broker.depth("queue:out")).isEqualTo(1);
        assertThat(jms.told("begin", "settle", "commit"))
                .containsExactly("begin 1", "settle 1 1..1 ACCEPTED in 1", "commit 1");
    }

    @Test
    void aCommitWithoutWorkTellsTheBrokerNothing() throws JMSException {
        session.commit();
        assertThat(jms.told("begin", "commit")).isEmpty();
    }

    @Test
    void rollbackBringsBackWhatWasReceivedInOrderFlaggedAndDropsWhatWasSent() throws JMSException {
        jms.send("1", "2", "3");
        MessageConsumer consumer = consumer(session);
        session.createProducer(session.createQueue("out")).send(session.createTextMessage("lost"));
        receive(consumer, 2);
        session.rollback();
        assertThat(jms.broker.depth("queue:out")).isZero();
        Message first = consumer.receive();
        assertThat(text(first)).isEqualTo("1");
        assertThat(first.getJMSRedelivered()).isTrue();
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        assertThat(text(consumer.receive())).isEqualTo("2");
        Message third = consumer.receive();
        assertThat(text(third)).isEqualTo("3");
        assertThat(third.getJMSRedelivered()).isFalse();
        session.commit();
        assertThat(nothing(consumer)).isNull();
    }

    @Test
    void aRefusedSendMakesTheCommitARollback() throws JMSException {
        MessageProducer producer = session.createProducer(session.createQueue("out"));
        producer.send(session.createTextMessage("taken"));
        jms.broker.refuseNext(ErrorCode.QUEUE_FULL);
        producer.send(session.createTextMessage("refused"));
        assertThatThrownBy(session::commit)
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("told to refuse");
        assertThat(jms.broker.depth("queue:out")).isZero();
        producer.send(session.createTextMessage("next"));
        session.commit();
        assertThat(jms.broker.depth("queue:out")).isEqualTo(1);
    }

    @Test
    void aRefusedCommitIsARollbackAndReceivedMessagesComeAgain() throws JMSException {
        jms.send("1");
        MessageConsumer consumer = consumer(session);
        consumer.receive();
        session.createProducer(session.createQueue("out")).send(session.createTextMessage("lost"));
        jms.broker.commands.clear();
        jms.broker.refuseNext(ErrorCode.QUEUE_FULL);
        assertThatThrownBy(session::commit)
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("told to refuse");
        assertThat(jms.broker.depth("queue:out")).isZero();
        assertThat(text(consumer.receive())).isEqualTo("1");
        session.commit();
    }

    @Test
    void closingTheSessionUndoesItsTransaction() throws JMSException {
        jms.send("1");
        consumer(session).receive();
        session.close();
        Message again = consumer(jms.session(Session.AUTO_ACKNOWLEDGE)).receive();
        assertThat(text(again)).isEqualTo("1");
        assertThat(again.getJMSRedelivered()).isTrue();
    }

    @Test
    void recoverIsNotForTransactedSessionsNorCommitForOthers() throws JMSException {
        assertThatThrownBy(session::recover).isInstanceOf(IllegalStateException.class);
        Session other = jms.session(Session.AUTO_ACKNOWLEDGE);
        assertThatThrownBy(other::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(other::rollback).isInstanceOf(IllegalStateException.class);
    }
}
