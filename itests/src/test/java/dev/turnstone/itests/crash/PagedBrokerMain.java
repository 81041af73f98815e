package dev.turnstone.itests.crash;

import dev.turnstone.itests.mqtt.crash.Child;
import dev.turnstone.itests.process.Parent;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.CountDownLatch;

/**
 * The process that is killed: a broker that keeps next to nothing of an address in memory, and a JMS client that
 * commits transactions and says which. Arguments: data folder, STOMP port, OpenWire port, prefix of the transactions'
 * names; without the last one, no client.
 */
final class PagedBrokerMain {
    private PagedBrokerMain() {}

    public static void main(String[] args) throws JMSException, InterruptedException {
        Parent.endWithIt();
        Connection connection = new TurnstoneConnectionFactory("vm://?data=" + args[0] + "&listen=stomp=127.0.0.1:"
                        + args[1] + "&listen=openwire=127.0.0.1:" + args[2]
                        + "&keepAlive=true&address.memoryMax=20000&page.bytes=20000")
                .createConnection();
        System.out.println(Child.READY);
        Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(session.createQueue(PagedTransactionsTest.QUEUE));
        for (int n = 0; args.length > 3; n++) {
            for (String text : PagedTransactionsTest.texts(args[3] + n)) {
                producer.send(session.createTextMessage(text));
            }
            session.commit();
            System.out.println(args[3] + n);
        }
        // The process ends when it is killed.
        new CountDownLatch(1).await();
    }
}
