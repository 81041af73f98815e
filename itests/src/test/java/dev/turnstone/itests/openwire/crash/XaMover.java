package dev.turnstone.itests.openwire.crash;

import dev.turnstone.itests.mqtt.crash.Child;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.activemq.ActiveMQXAConnectionFactory;

/**
 * Moves messages to and fro between two queues, each in a branch of its own that is prepared and then committed, as a
 * transaction manager has it: what it has decided it completes when it is connected again, and what was prepared and
 * not decided it rolls back.
 */
final class XaMover implements Callable<Void> {
    static final String ONE = "xa.one";
    static final String OTHER = "xa.other";
    static final int FORMAT = 77;
    private static final long RECEIVE_MS = 200;
    private static final int CLOSE_MS = 500;

    private final ActiveMQXAConnectionFactory factory;
    private final String name;
    /** Those that are to be committed: a manager's log. */
    private final Set<String> decided = new HashSet<>();

    private final AtomicInteger committed = new AtomicInteger();
    private final AtomicInteger recovered = new AtomicInteger();
    private volatile boolean stopped;
    /** Something may be prepared that has no outcome. */
    private boolean unsure;

    private int branches;

    XaMover(int port, String name) {
        factory = factory(port);
        this.name = name;
    }

    static ActiveMQXAConnectionFactory factory(int port) {
        ActiveMQXAConnectionFactory made = new ActiveMQXAConnectionFactory("tcp://127.0.0.1:" + port);
        // A rollback that a kill has made is no fault of the message.
        made.getRedeliveryPolicy().setMaximumRedeliveries(-1);
        made.getRedeliveryPolicy().setInitialRedeliveryDelay(0);
        made.getPrefetchPolicy().setAll(0);
        // What is closed behind a kill need not hear an answer.
        made.setCloseTimeout(CLOSE_MS);
        return made;
    }

    /** A branch of a mover. */
    record Branch(String name) implements Xid {
        @Override
        public int getFormatId() {
            return FORMAT;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return name.getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    /** Ends when its branch has an outcome. */
    void stop() {
        stopped = true;
    }

    /** How many branches were committed. */
    int committed() {
        return committed.get();
    }

    /** How many of those had only been prepared when their connection was lost. */
    int recovered() {
        return recovered.get();
    }

    @Override
    public Void call() {
        while (!stopped || unsure) {
            try (XAConnection connection = factory.createXAConnection()) {
                connection.start();
                XASession session = connection.createXASession();
                MessageProducer producer = session.createProducer(null);
                complete(session.getXAResource());
                while (!stopped) {
                    unsure = true;
                    move(session, producer, branches % 2 == 0);
                    unsure = false;
                }
            } catch (JMSException | XAException e) {
                // The broker is away.
                Child.pause();
            }
        }
        return null;
    }

    private void complete(XAResource resource) throws XAException {
        for (Xid found : resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)) {
            String id = new String(found.getGlobalTransactionId(), StandardCharsets.US_ASCII);
            if (decided.contains(id)) {
                resource.commit(found, false);
                recovered.incrementAndGet();
                committed.incrementAndGet();
            } else if (id.startsWith(name + "-")) {
                resource.rollback(found);
            }
        }
        // Those that are not there any more had been committed.
        decided.clear();
        unsure = false;
    }

    private void move(XASession session, MessageProducer producer, boolean forth) throws JMSException, XAException {
        Queue from = session.createQueue(forth ? ONE : OTHER);
        XAResource resource = session.getXAResource();
        Branch branch = new Branch(name + "-" + branches++);
        resource.start(branch, XAResource.TMNOFLAGS);
        try (MessageConsumer consumer = session.createConsumer(from)) {
            Message message = consumer.receive(RECEIVE_MS);
            if (message != null) {
                producer.send(
                        session.createQueue(forth ? OTHER : ONE),
                        session.createTextMessage(message.getBody(String.class)));
            }
            resource.end(branch, XAResource.TMSUCCESS);
            if (resource.prepare(branch) == XAResource.XA_OK) {
                decided.add(branch.name());
                resource.commit(branch, false);
                decided.remove(branch.name());
                committed.incrementAndGet();
            }
        }
    }
}
