package dev.turnstone.xa;

import com.arjuna.ats.arjuna.coordinator.TransactionReaper;
import com.arjuna.ats.arjuna.coordinator.TxControl;
import com.arjuna.ats.arjuna.objectstore.StoreManager;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

/**
 * Narayana, running in this JVM with its log, its recovery, and the brokers and databases that take part in
 * transactions. One at a time in a JVM, as Narayana has one log. Any thread.
 *
 * <p>Starting completes what a process that was killed has left: what its log says was decided is committed, all other
 * branches of this node are rolled back, in brokers and databases alike. What cannot be reached then is completed by
 * scans in the background.
 */
public final class TurnstoneNarayana implements AutoCloseable {
    private static final AtomicBoolean RUNNING = new AtomicBoolean();
    /** The log and the node of the first start: Narayana's recovery keeps them for as long as the JVM runs. */
    private static final AtomicReference<String> OF_THIS_JVM = new AtomicReference<>();

    private final StoreFolder folder;
    private final Recovery recovery;
    private final Map<String, TurnstoneTransactionalConnectionFactory> brokers = new LinkedHashMap<>();
    private final Map<String, TransactionalDataSource> databases = new LinkedHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private TurnstoneNarayana(StoreFolder folder, NarayanaConfig config) {
        this.folder = folder;
        NarayanaBeans.set(folder, config);
        TxControl.enable();
        TransactionManager manager = com.arjuna.ats.jta.TransactionManager.transactionManager();
        recovery = new Recovery();
        config.brokers().forEach((name, factory) -> {
            recovery.add(RecoverySource.of(name, factory));
            brokers.put(name, new TurnstoneTransactionalConnectionFactory(name, factory, manager));
        });
        config.databases().forEach((name, source) -> {
            recovery.add(RecoverySource.of(name, source));
            databases.put(name, new TransactionalDataSource(name, source, manager));
        });
        recovery.start();
    }

    /**
     * Starts it, and completes what was left.
     *
     * @throws IOException if the folder cannot be used, or another process uses it
     * @throws IllegalStateException if one is running in this JVM, or an earlier one had another folder or node id:
     *     what is in doubt in the new one would stay so
     */
    public static TurnstoneNarayana start(NarayanaConfig config) throws IOException {
        if (!RUNNING.compareAndSet(false, true)) {
            throw new IllegalStateException("Narayana is running in this JVM already, and has one log in it");
        }
        boolean started = false;
        try {
            StoreFolder folder = StoreFolder.open(config.folder());
            try {
                checkOfThisJvm(folder, config);
                TurnstoneNarayana running = new TurnstoneNarayana(folder, config);
                started = true;
                return running;
            } finally {
                if (!started) {
                    folder.close();
                }
            }
        } finally {
            if (!started) {
                RUNNING.set(false);
            }
        }
    }

    private static void checkOfThisJvm(StoreFolder folder, NarayanaConfig config) throws IOException {
        String wanted = folder.path() + " as node " + NarayanaBeans.node(folder, config);
        String first = OF_THIS_JVM.compareAndExchange(null, wanted);
        if (first != null && !first.equals(wanted)) {
            throw new IllegalStateException("Narayana keeps the log and the node of its first start for as long as the"
                    + " JVM runs: that was " + first + ", so it cannot start with " + wanted);
        }
    }

    /** Begins, commits and rolls back the calling thread's transaction. */
    public UserTransaction userTransaction() {
        return com.arjuna.ats.jta.UserTransaction.userTransaction();
    }

    /** The transaction manager itself. */
    public TransactionManager transactionManager() {
        return com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    /** The connection factory of the only broker that takes part. */
    public TurnstoneTransactionalConnectionFactory connectionFactory() {
        return only(brokers, "broker");
    }

    /** The connection factory of the broker of this name. */
    public TurnstoneTransactionalConnectionFactory connectionFactory(String broker) {
        return named(brokers, broker, "broker");
    }

    /**
     * The only database that takes part. A connection that is asked for within a transaction belongs to it, and is held
     * until its end if it is closed before; outside of one it commits by itself.
     */
    public DataSource dataSource() {
        return only(databases, "database");
    }

    /** The database of this name; as {@link #dataSource()}. */
    public DataSource dataSource(String database) {
        return named(databases, database, "database");
    }

    private static <T> T only(Map<String, T> known, String what) {
        if (known.size() != 1) {
            throw new IllegalStateException("there is not one " + what + " but these: " + known.keySet());
        }
        return known.values().iterator().next();
    }

    private static <T> T named(Map<String, T> known, String name, String what) {
        T found = known.get(name);
        if (found == null) {
            throw new IllegalArgumentException("there is no " + what + " '" + name + "'; there are: " + known.keySet());
        }
        return found;
    }

    /** How many transactions the log holds: under way, or decided and not completed everywhere. */
    public int logged() {
        return recovery.logged();
    }

    /** Scans now, as the background does: completes what can be completed. Waits for it. */
    public void recover() {
        recovery.scan();
    }

    /** Stops recovery and the log, then closes pooled connections. No transaction may be under way. Idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        recovery.stop();
        TransactionReaper.terminate(false);
        TxControl.disable(true);
        StoreManager.shutdown();
        brokers.values().forEach(TurnstoneTransactionalConnectionFactory::close);
        databases.values().forEach(TransactionalDataSource::close);
        folder.close();
        RUNNING.set(false);
    }
}
