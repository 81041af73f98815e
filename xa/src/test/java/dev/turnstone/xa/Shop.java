package dev.turnstone.xa;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.jms.TurnstoneXAConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.XADataSource;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.h2.jdbcx.JdbcDataSource;

/** A broker, a database with one table, and a transaction manager over both. */
final class Shop implements AutoCloseable {
    final TurnstoneNarayana narayana;
    final JdbcDataSource database = new JdbcDataSource();
    private final String url;
    private final ConnectionFactory plain;
    private final Connection keeper;

    /** With the manager's log in a folder of its own. */
    Shop(Path folder, Path log) throws IOException, JMSException, SQLException {
        this(folder, log, "artemis", UnaryOperator.identity(), UnaryOperator.identity());
    }

    /** With this journal, and the resources as the transaction manager is to see them. */
    Shop(Path folder, String journal, UnaryOperator<XAConnectionFactory> broker, UnaryOperator<XADataSource> db)
            throws IOException, JMSException, SQLException {
        this(folder, folder.resolve("tx"), journal, broker, db);
    }

    private Shop(
            Path folder,
            Path log,
            String journal,
            UnaryOperator<XAConnectionFactory> broker,
            UnaryOperator<XADataSource> db)
            throws IOException, JMSException, SQLException {
        url = "vm://?data=" + folder.resolve("broker") + "&journal=" + journal;
        database.setURL("jdbc:h2:" + folder.resolve("db").toAbsolutePath() + ";DB_CLOSE_DELAY=-1;WRITE_DELAY=0");
        plain = new TurnstoneConnectionFactory(url);
        keeper = plain.createConnection();
        try (java.sql.Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS sold (item VARCHAR PRIMARY KEY)");
        }
        TurnstoneXAConnectionFactory factory = new TurnstoneXAConnectionFactory(url);
        narayana = TurnstoneNarayana.start(NarayanaConfig.in(log)
                .withBroker("shop", broker.apply(factory))
                .withDatabase("db", db.apply(database)));
    }

    /** Branches in doubt, and entries of the log. */
    int inDoubt() throws JMSException, SQLException, XAException {
        int count = narayana.logged();
        try (XAConnection connection = new TurnstoneXAConnectionFactory(url).createXAConnection()) {
            count += connection
                    .createXASession()
                    .getXAResource()
                    .recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)
                    .length;
        }
        try (java.sql.Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM INFORMATION_SCHEMA.IN_DOUBT")) {
            row.next();
            return count + row.getInt(1);
        }
    }

    TurnstoneTransactionalConnectionFactory jms() {
        return narayana.connectionFactory();
    }

    /** Sends outside of transactions. */
    void send(String queue, String... texts) {
        try (JMSContext context = plain.createContext()) {
            for (String text : texts) {
                context.createProducer().send(context.createQueue(queue), text);
            }
        }
    }

    /** Takes all that is in a queue. */
    List<String> takeAll(String queue) {
        List<String> texts = new ArrayList<>();
        try (JMSContext context = plain.createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
            for (String next = consumer.receiveBodyNoWait(String.class);
                    next != null;
                    next = consumer.receiveBodyNoWait(String.class)) {
                texts.add(next);
            }
        }
        return texts;
    }

    void sell(String item) throws SQLException {
        try (java.sql.Connection connection = narayana.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO sold VALUES ('" + item + "')");
        }
    }

    List<String> sold() throws SQLException {
        List<String> items = new ArrayList<>();
        try (java.sql.Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT item FROM sold ORDER BY item")) {
            while (rows.next()) {
                items.add(rows.getString(1));
            }
        }
        return items;
    }

    @Override
    public void close() throws JMSException, SQLException {
        narayana.close();
        keeper.close();
        try (java.sql.Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN");
        }
    }
}
