package dev.turnstone.benchmarks.xa;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.jms.TurnstoneXAConnectionFactory;
import dev.turnstone.xa.NarayanaConfig;
import dev.turnstone.xa.TurnstoneNarayana;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import jakarta.jms.XAJMSContext;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.h2.jdbcx.JdbcDataSource;

/**
 * Transactions of one receive and one send, in the broker's JVM: in two phases through the XAResource, and with
 * Narayana and a row in H2. Arguments: seconds a round, folder.
 */
public final class XaSpeed {
    private static final int[] THREADS = {1, 16};
    private static final long RECEIVE_MS = 10_000;

    private final long nanos;
    private final String url;
    private final Path folder;
    private final PrintStream out;
    private final AtomicLong xids = new AtomicLong();

    private XaSpeed(long seconds, Path folder, PrintStream out) {
        this.nanos = TimeUnit.SECONDS.toNanos(seconds);
        this.folder = folder;
        this.url = "vm://?journal=artemis-counting&keepAlive=true&data=" + folder.resolve("broker");
        this.out = out;
    }

    /** Runs all; see above. */
    public static void main(String[] args) throws IOException, SQLException, InterruptedException, ExecutionException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 5;
        Path folder = args.length > 1 ? Path.of(args[1]) : Files.createTempDirectory("xa-speed");
        new XaSpeed(
                        seconds,
                        folder,
                        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8))
                .run();
        System.exit(0);
    }

    private record TestXid(long number) implements Xid {
        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    @FunctionalInterface
    private interface Round {
        long run(int thread) throws XAException, SQLException;
    }

    private void run() throws IOException, SQLException, InterruptedException, ExecutionException {
        try (JMSContext context = new TurnstoneConnectionFactory(url).createContext()) {
            for (int thread = 0; thread < THREADS[THREADS.length - 1]; thread++) {
                context.createProducer().send(queue(context, thread), "a message that goes round and round");
            }
        }
        for (int threads : THREADS) {
            measure("XAResource", 1, threads, this::branches);
            measure("XAResource", 2, threads, this::branches);
        }
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:" + folder.resolve("db").toAbsolutePath() + ";DB_CLOSE_DELAY=-1;WRITE_DELAY=0");
        try (Connection connection = h2.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE worked (thread INT)");
        }
        try (TurnstoneNarayana narayana = TurnstoneNarayana.start(
                NarayanaConfig.in(folder.resolve("tx")).withBroker(url).withDatabase("db", h2))) {
            for (int threads : THREADS) {
                measure("Narayana and H2", 1, threads, thread -> transactions(narayana, thread));
                measure("Narayana and H2", 2, threads, thread -> transactions(narayana, thread));
            }
        }
    }

    private static Queue queue(JMSContext context, int thread) {
        return context.createQueue("round." + thread);
    }

    private void measure(String what, int round, int threads, Round work)
            throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        long syncs = CountingJournalProvider.syncs();
        long began = System.nanoTime();
        List<Callable<Long>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int thread = i;
            tasks.add(() -> work.run(thread));
        }
        long done = 0;
        for (Future<Long> result : pool.invokeAll(tasks)) {
            done += result.get();
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        pool.shutdown();
        out.printf(
                Locale.ROOT,
                "%-16s round %d, %2d threads: %8.0f transactions/s, %.2f syncs of the journal each%n",
                what,
                round,
                threads,
                done / seconds,
                (CountingJournalProvider.syncs() - syncs) / (double) done);
    }

    private long branches(int thread) throws XAException {
        long end = System.nanoTime() + nanos;
        long done = 0;
        try (XAJMSContext context = new TurnstoneXAConnectionFactory(url).createXAContext()) {
            XAResource resource = context.getXAResource();
            JMSConsumer consumer = context.createConsumer(queue(context, thread));
            while (System.nanoTime() < end) {
                Xid xid = new TestXid(xids.incrementAndGet());
                resource.start(xid, XAResource.TMNOFLAGS);
                String text = consumer.receiveBody(String.class, RECEIVE_MS);
                context.createProducer().send(queue(context, thread), text);
                resource.end(xid, XAResource.TMSUCCESS);
                resource.prepare(xid);
                resource.commit(xid, false);
                done++;
            }
        }
        return done;
    }

    private long transactions(TurnstoneNarayana narayana, int thread) throws SQLException {
        long end = System.nanoTime() + nanos;
        long done = 0;
        try (JMSContext context = narayana.connectionFactory().createContext()) {
            JMSConsumer consumer = context.createConsumer(queue(context, thread));
            while (System.nanoTime() < end) {
                one(narayana, context, consumer, thread);
                done++;
            }
        }
        return done;
    }

    private static void one(TurnstoneNarayana narayana, JMSContext context, JMSConsumer consumer, int thread)
            throws SQLException {
        try {
            narayana.userTransaction().begin();
            String text = consumer.receiveBody(String.class, RECEIVE_MS);
            try (Connection connection = narayana.dataSource().getConnection();
                    PreparedStatement insert = connection.prepareStatement("INSERT INTO worked VALUES (?)")) {
                insert.setInt(1, thread);
                insert.executeUpdate();
            }
            context.createProducer().send(queue(context, thread), text);
            narayana.userTransaction().commit();
        } catch (NotSupportedException
                | SystemException
                | RollbackException
                | HeuristicMixedException
                | HeuristicRollbackException e) {
            throw new IllegalStateException("a transaction failed", e);
        }
    }
}
