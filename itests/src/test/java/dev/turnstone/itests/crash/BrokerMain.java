package dev.turnstone.itests.crash;

import dev.turnstone.itests.process.Parent;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;

/**
 * The process that is killed: an embedded broker with a STOMP listener, and JMS workers that report each step on
 * standard output.
 */
final class BrokerMain {
    private static final long RECEIVE_MS = 200;
    private static final int MOVED_MAX = 3;
    private static final long PATIENCE_MS = 60_000;
    private static final String COPIES = "copies";
    private static final String LAST = "last";

    private BrokerMain() {}

    public static void main(String[] args) throws JMSException {
        Parent.endWithIt();
        int round = Integer.parseInt(args[3]);
        // Every other life keeps next to nothing in memory, so that pages are always on the way.
        String memory = round % 2 == 0 ? "" : "&address.memoryMax=2000&page.bytes=1000";
        String url = "vm://?data=" + args[0] + "&journal=" + args[1] + "&listen=stomp=127.0.0.1:" + args[2]
                + "&keepAlive=true" + memory;
        int workers = Integer.parseInt(args[4]);
        TurnstoneConnectionFactory factory = new TurnstoneConnectionFactory(url);
        factory.setClientID("crash");
        Connection connection = factory.createConnection();
        connection.start();
        Flow names = new Flow(CrashCampaign.JMS);
        if (workers == 0) {
            reportCopies(connection, names);
        } else {
            subscribeToCopies(connection, names);
        }
        say(new WorkerLine(WorkerLine.Event.READY));
        for (int worker = 0; worker < workers; worker++) {
            String prefix = "j" + round + "." + worker + ".";
            new Thread(() -> work(() -> send(connection, names, prefix)), "sender-" + worker).start();
            new Thread(() -> work(() -> move(connection, names)), "mover-" + worker).start();
        }
        if (workers == 0) {
            // Only the listener is wanted; the process ends when it is killed.
            new Thread(BrokerMain::stay, "stay").start();
        }
    }

    /** The copies go to a topic, for a durable subscription without a consumer. */
    private static void subscribeToCopies(Connection connection, Flow names) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        session.createDurableSubscriber(session.createTopic(names.copy()), COPIES);
        session.close();
    }

    private static void reportCopies(Connection connection, Flow names) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        Topic topic = session.createTopic(names.copy());
        MessageConsumer copies = session.createDurableSubscriber(topic, COPIES);
        session.createProducer(topic).send(session.createTextMessage(LAST));
        while (true) {
            Message message = copies.receive(PATIENCE_MS);
            if (message == null) {
                throw new IllegalStateException("the last copy did not come");
            }
            String id = ((TextMessage) message).getText();
            if (id.equals(LAST)) {
                session.close();
                return;
            }
            say(new WorkerLine(WorkerLine.Event.KEPT, id));
        }
    }

    private interface Work {
        void run() throws JMSException;
    }

    private static void work(Work work) {
        try {
            work.run();
        } catch (JMSException | RuntimeException e) {
            say(new WorkerLine(WorkerLine.Event.FAILED, e.toString()));
            throw new IllegalStateException("a worker failed", e);
        }
    }

    private static void stay() {
        try {
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(Connection connection, Flow names, String prefix) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createQueue(names.source()));
        for (long n = 0; ; n++) {
            String id = prefix + n;
            say(new WorkerLine(WorkerLine.Event.SEND, id));
            producer.send(session.createTextMessage(id));
            say(new WorkerLine(WorkerLine.Event.SENT, id));
        }
    }

    private static void move(Connection connection, Flow names) throws JMSException {
        Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(session.createQueue(names.source()));
        MessageProducer target = session.createProducer(session.createQueue(names.target()));
        MessageProducer copy = session.createProducer(session.createTopic(names.copy()));
        for (int turn = 0; ; turn++) {
            List<String> ids = new ArrayList<>();
            while (ids.size() < 1 + turn % MOVED_MAX) {
                Message message = consumer.receive(RECEIVE_MS);
                if (message == null) {
                    break;
                }
                String id = ((TextMessage) message).getText();
                say(new WorkerLine(WorkerLine.Event.RECEIVED, id));
                target.send(session.createTextMessage(id));
                copy.send(session.createTextMessage(id));
                ids.add(id);
            }
            if (turn % 10 == 9) {
                session.rollback();
            } else if (!ids.isEmpty()) {
                say(new WorkerLine(WorkerLine.Event.MOVE, ids));
                session.commit();
                say(new WorkerLine(WorkerLine.Event.MOVED, ids));
            }
        }
    }

    private static void say(WorkerLine line) {
        System.out.println(line.text());
    }
}
