package dev.turnstone.demo;

import dev.turnstone.jms.TurnstoneXAConnectionFactory;
import dev.turnstone.xa.NarayanaConfig;
import dev.turnstone.xa.TurnstoneNarayana;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Topic;
import jakarta.jms.XAConnectionFactory;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that is killed: the broker with its listeners, and a worker that takes each reading, writes it to the
 * database and sends a result, in one transaction.
 */
public final class WorkerMain {
    /** The first word of the line that says that it works. */
    static final String READY = "ready";
    /** The first word of the line that counts: rows, readings stored, rows too many, branches in doubt. */
    static final String COUNTED = "counted";

    private static final Logger LOG = LoggerFactory.getLogger(WorkerMain.class);
    private static final int WORKERS = 2;
    private static final long RECEIVE_MS = 200;

    private final TurnstoneNarayana narayana;
    private final TurnstoneXAConnectionFactory broker;
    private final UserTransaction transaction;
    private final DataSource database;

    private WorkerMain(TurnstoneNarayana narayana, TurnstoneXAConnectionFactory broker) {
        this.narayana = narayana;
        this.broker = broker;
        this.transaction = narayana.userTransaction();
        this.database = narayana.dataSource();
    }

    /**
     * Arguments: data folder, journal provider, STOMP port, MQTT port, OpenWire port. Ends when its standard input
     * does.
     */
    public static void main(String[] args) {
        run(
                args,
                UnaryOperator.identity(),
                new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
    }

    /** Runs with the broker as the transaction manager is to see it; ends the process, whatever happens. */
    static void run(String[] args, UnaryOperator<XAConnectionFactory> seen, PrintStream out) {
        int code = 1;
        try {
            serve(args, seen, out);
            code = 0;
        } catch (IOException | JMSException | SQLException | javax.transaction.xa.XAException | RuntimeException e) {
            LOG.error("the worker ends", e);
        } finally {
            // Broker and worker have threads that go on.
            System.exit(code);
        }
    }

    private static void serve(String[] args, UnaryOperator<XAConnectionFactory> seen, PrintStream out)
            throws IOException, JMSException, SQLException, javax.transaction.xa.XAException {
        Path data = Path.of(args[0]);
        String url = "vm://?data=" + data.resolve("broker") + "&journal=" + args[1] + "&listen=stomp=127.0.0.1:"
                + args[2] + "&listen=mqtt=127.0.0.1:" + args[3] + "&listen=openwire=127.0.0.1:" + args[4]
                + "&keepAlive=true";
        TurnstoneXAConnectionFactory broker = new TurnstoneXAConnectionFactory(url);
        JdbcDataSource h2 = new JdbcDataSource();
        // Each commit is on disk before it is confirmed; the file is closed by the kill alone.
        h2.setURL("jdbc:h2:" + data.resolve("db").toAbsolutePath() + ";DB_CLOSE_DELAY=-1;WRITE_DELAY=0");
        try (Connection connection = h2.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS reading (id VARCHAR, text VARCHAR)");
        }
        TurnstoneNarayana narayana = TurnstoneNarayana.start(NarayanaConfig.in(data.resolve("tx"))
                .withBroker("broker", seen.apply(broker))
                .withDatabase("db", h2)
                .withRecoverySeconds(1));
        WorkerMain worker = new WorkerMain(narayana, broker);
        for (int i = 0; i < WORKERS; i++) {
            Thread thread = new Thread(() -> worker.work(out), "worker-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        out.println(READY);
        while (System.in.read() >= 0) {
            out.println(worker.count());
        }
    }

    /** What the database and the logs say now. */
    private String count() throws SQLException, JMSException, javax.transaction.xa.XAException {
        narayana.recover();
        int inDoubt;
        try (jakarta.jms.XAConnection connection = broker.createXAConnection()) {
            inDoubt = connection
                    .createXASession()
                    .getXAResource()
                    .recover(javax.transaction.xa.XAResource.TMSTARTRSCAN | javax.transaction.xa.XAResource.TMENDRSCAN)
                    .length;
        }
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT COUNT(*), COUNT(DISTINCT id), (SELECT COUNT(*) FROM INFORMATION_SCHEMA.IN_DOUBT) FROM"
                                + " reading")) {
            row.next();
            int doubled = row.getInt(1) - row.getInt(2);
            return COUNTED + " " + row.getInt(2) + " " + doubled + " " + (inDoubt + row.getInt(3) + narayana.logged());
        }
    }

    private void work(PrintStream out) {
        while (true) {
            try (JMSContext context = narayana.connectionFactory().createContext()) {
                Topic readings = context.createTopic(Doors.READINGS);
                JMSConsumer consumer = context.createSharedDurableConsumer(readings, Doors.WORKER);
                while (true) {
                    one(context, consumer);
                }
            } catch (JMSRuntimeException
                    | SQLException
                    | SystemException
                    | NotSupportedException
                    | RollbackException
                    | HeuristicMixedException
                    | HeuristicRollbackException e) {
                out.println("worker: " + e);
                undo(out);
            }
        }
    }

    private void one(JMSContext context, JMSConsumer consumer)
            throws SQLException, SystemException, NotSupportedException, RollbackException, HeuristicMixedException,
                    HeuristicRollbackException {
        transaction.begin();
        String reading = consumer.receiveBody(String.class, RECEIVE_MS);
        if (reading == null) {
            transaction.rollback();
            return;
        }
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO reading VALUES (?, ?)")) {
            insert.setString(1, reading);
            insert.setString(2, "reading " + reading);
            insert.executeUpdate();
        }
        context.createProducer().send(context.createTopic(Doors.RESULTS), reading);
        transaction.commit();
    }

    private void undo(PrintStream out) {
        try {
            if (transaction.getStatus() != jakarta.transaction.Status.STATUS_NO_TRANSACTION) {
                transaction.rollback();
            }
        } catch (SystemException | IllegalStateException e) {
            out.println("worker: the transaction did not roll back: " + e);
        }
    }
}
