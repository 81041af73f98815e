package dev.turnstone.itests.xa;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.Map;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** One XA session, and its resource's verbs with the names of what they answer. */
final class XaPeer implements AutoCloseable {
    private static final Map<Integer, String> CODES = Map.of(
            XAException.XAER_NOTA, "NOTA",
            XAException.XAER_DUPID, "DUPID",
            XAException.XAER_PROTO, "PROTO",
            XAException.XAER_INVAL, "INVAL",
            XAException.XAER_RMFAIL, "RMFAIL",
            XAException.XAER_RMERR, "RMERR",
            XAException.XA_RBROLLBACK, "RBROLLBACK",
            XAException.XA_RBTIMEOUT, "RBTIMEOUT");

    final XAConnection connection;
    final XASession session;
    final XAResource resource;

    XaPeer(XaBroker broker) throws JMSException {
        this(broker.connect());
    }

    XaPeer(XAConnection connection) throws JMSException {
        this.connection = connection;
        session = connection.createXASession();
        resource = session.getXAResource();
    }

    /** A verb. */
    @FunctionalInterface
    interface Verb {
        void run() throws XAException;
    }

    /** OK, or the name of the code that it fails with. */
    static String answer(Verb verb) {
        try {
            verb.run();
            return "OK";
        } catch (XAException e) {
            assertThat(e.getMessage()).isNotBlank();
            return CODES.getOrDefault(e.errorCode, "code " + e.errorCode);
        }
    }

    static Xid xid(int number) {
        return new TestXid(4711, new byte[] {1, 2, (byte) number}, new byte[] {(byte) number});
    }

    /** An identifier as some transaction manager may make it. */
    record TestXid(int format, byte[] global, byte[] qualifier) implements Xid {
        @Override
        public int getFormatId() {
            return format;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return global;
        }

        @Override
        public byte[] getBranchQualifier() {
            return qualifier;
        }
    }

    void send(String queue, String text) throws JMSException {
        session.createProducer(session.createQueue(queue)).send(session.createTextMessage(text));
    }

    MessageConsumer consumer(String queue) throws JMSException {
        return session.createConsumer(session.createQueue(queue));
    }

    static String next(MessageConsumer consumer) throws JMSException {
        TextMessage message = (TextMessage) consumer.receive(XaBroker.SOON_MS);
        return message == null ? "nothing" : message.getText() + (message.getJMSRedelivered() ? "*" : "");
    }

    /** A branch with this message, whose work has ended. */
    void idle(Xid xid, String queue, String text) throws JMSException, XAException {
        resource.start(xid, XAResource.TMNOFLAGS);
        send(queue, text);
        resource.end(xid, XAResource.TMSUCCESS);
    }

    void prepared(Xid xid, String queue, String text) throws JMSException, XAException {
        idle(xid, queue, text);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }
}
