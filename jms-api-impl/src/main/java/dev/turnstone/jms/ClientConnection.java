package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ErrorCode;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a broker. Any thread; its monitor guards what changes, and is not held while waiting for listeners.
 */
sealed class ClientConnection implements QueueConnection, TopicConnection permits ClientXaConnection {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String name = Long.toUnsignedString(RANDOM.nextLong(), Character.MAX_RADIX);
    private final ConnectionSettings settings;
    private final Credentials credentials;
    private final Domain domain;
    private final ExceptionReports reports =
            new ExceptionReports("turnstone-exceptions-" + name, new Daemon.Labels(name, null, null));
    private final List<SessionCore> sessions = new CopyOnWriteArrayList<>();
    private final Temporaries temporaries = new Temporaries(this);
    private @Nullable Connection port;
    private @Nullable String clientId;
    private int sessionsMade;
    /** Whether something was done after which the client identifier is settled. */
    private boolean used;

    private volatile ConnectionPhase phase = ConnectionPhase.STOPPED;

    /** Who connects. */
    record Credentials(@Nullable String user, @Nullable String password) {
        @Override
        public String toString() {
            return "Credentials[" + user + "]";
        }
    }

    ClientConnection(ConnectionSettings settings, Credentials credentials, Domain domain) {
        this.settings = settings;
        this.credentials = credentials;
        this.domain = domain;
    }

    /** Connects, or connects anew; the client identifier, if there is one, is then settled. */
    synchronized void connect(@Nullable String newClientId) throws JMSException {
        Connection before = port;
        Connection made = Endpoint.connect(
                settings.broker(), credentials.user(), credentials.password(), newClientId, this::breakOff);
        port = made;
        reports.labels(new Daemon.Labels(made.id(), newClientId, credentials.user()));
        clientId = newClientId;
        // In this order, as an embedded broker ends with its last connection.
        if (before != null) {
            Endpoint.await(before.close());
        }
    }

    String name() {
        return name;
    }

    Domain domain() {
        return domain;
    }

    @Nullable
    String user() {
        return credentials.user();
    }

    ConnectionSettings settings() {
        return settings;
    }

    synchronized Connection port() throws IllegalStateException {
        if (port == null) {
            throw Errors.closed("connection");
        }
        return port;
    }

    /** What lines of the log say of it. */
    Daemon.Labels labels() {
        return reports.labels();
    }

    Temporaries temporaries() {
        return temporaries;
    }

    void report(JMSException exception) {
        reports.report(exception);
    }

    void forget(SessionCore session) {
        sessions.remove(session);
    }

    /** The broker has ended the connection: on its thread, so this returns at once. */
    private void breakOff(BrokerException cause) {
        // Before the sessions are looked at: one that is being made looks for this once it can be seen.
        temporaries.fail(cause);
        for (SessionCore session : sessions) {
            session.link().fail(cause);
        }
        if (phase.open()) {
            reports.report(Errors.of(cause));
        }
    }

    private void checkOpen() throws IllegalStateException {
        if (!phase.usable()) {
            throw Errors.closed("connection");
        }
    }

    private synchronized void use() throws IllegalStateException {
        checkOpen();
        used = true;
    }

    ClientSession open(int mode, Domain sessionDomain) throws JMSException {
        return new ClientSession(this, openCore(mode), sessionDomain);
    }

    synchronized SessionCore openCore(int mode) throws JMSException {
        use();
        SessionCore core = new SessionCore(this, mode, ++sessionsMade);
        sessions.add(core);
        BrokerException cause = temporaries.failure();
        if (cause != null) {
            core.link().fail(cause);
        }
        switch (phase) {
            case STARTED -> core.start();
            // A listener that still runs has opened it, and may wait for what it receives there.
            case STOPPING -> core.beginToStop();
            case CLOSING -> core.beginToClose();
            default -> {}
        }
        return core;
    }

    private static int mode(boolean transacted, int acknowledgeMode) throws JMSException {
        // Whoever asks for a transaction need not care about the mode; who asks for none cannot have that of one.
        if (!transacted && acknowledgeMode == Session.SESSION_TRANSACTED) {
            throw new JMSException("no acknowledge mode of a session without transaction: 0", "INVALID_SESSION_MODE");
        }
        return transacted ? Session.SESSION_TRANSACTED : checkedMode(acknowledgeMode);
    }

    static int checkedMode(int mode) throws JMSException {
        if (mode < Session.SESSION_TRANSACTED || mode > Session.DUPS_OK_ACKNOWLEDGE) {
            throw new JMSException("not an acknowledge mode: " + mode, "INVALID_SESSION_MODE");
        }
        return mode;
    }

    @Override
    public Session createSession() throws JMSException {
        return open(Session.AUTO_ACKNOWLEDGE, domain);
    }

    @Override
    public Session createSession(int sessionMode) throws JMSException {
        return open(checkedMode(sessionMode), domain);
    }

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return open(mode(transacted, acknowledgeMode), domain);
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode) throws JMSException {
        domain.checkQueues("createQueueSession");
        return open(mode(transacted, acknowledgeMode), Domain.QUEUE);
    }

    @Override
    public TopicSession createTopicSession(boolean transacted, int acknowledgeMode) throws JMSException {
        domain.checkTopics("createTopicSession");
        return open(mode(transacted, acknowledgeMode), Domain.TOPIC);
    }

    @Override
    public synchronized @Nullable String getClientID() throws JMSException {
        checkOpen();
        return clientId;
    }

    @Override
    public synchronized void setClientID(@Nullable String id) throws JMSException {
        checkOpen();
        if (clientId != null) {
            throw Errors.illegal("the client identifier is '" + clientId + "' already");
        } else if (used) {
            throw Errors.illegal("a client identifier must be set before anything else is done with the connection");
        } else if (id == null || id.isEmpty()) {
            throw new InvalidClientIDException("a client identifier must not be empty", "INVALID_CLIENT_ID");
        }
        connect(id);
        used = true;
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        checkOpen();
        return new ClientMetaData();
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() throws JMSException {
        checkOpen();
        return reports.listener();
    }

    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) throws JMSException {
        use();
        reports.listener(listener);
    }

    @Override
    public synchronized void start() throws JMSException {
        use();
        // A connection that is closing stays so.
        if (phase.open()) {
            phase = ConnectionPhase.STARTED;
            sessions.forEach(SessionCore::start);
        }
    }

    /**
     * Listeners that run have all that the connection can do until they return (Jakarta Messaging 3.1 §6.1.5): one may
     * wait for what another session receives. So no session stops receiving before the last listener has returned.
     */
    @Override
    public void stop() throws JMSException {
        for (SessionCore session : sessions) {
            session.checkNotListener("stop its connection");
        }
        beginToStop();
        for (SessionCore session : sessions) {
            session.awaitListeners();
        }
        endStopping();
    }

    private synchronized void beginToStop() throws IllegalStateException {
        use();
        if (phase == ConnectionPhase.STARTED) {
            phase = ConnectionPhase.STOPPING;
            sessions.forEach(SessionCore::beginToStop);
        }
    }

    /** Unless it was started again, or closes. */
    private synchronized void endStopping() {
        if (phase == ConnectionPhase.STOPPING) {
            phase = ConnectionPhase.STOPPED;
            sessions.forEach(SessionCore::stop);
        }
    }

    @Override
    public void close() throws JMSException {
        for (SessionCore session : sessions) {
            session.checkNotOwnThread("close its connection");
        }
        if (!beginsToClose()) {
            return;
        }
        try {
            end();
        } finally {
            synchronized (this) {
                phase = ConnectionPhase.GONE;
                notifyAll();
            }
        }
    }

    /** True for the one who closes it; whoever else wants to waits until that is done. */
    private synchronized boolean beginsToClose() {
        if (phase.open()) {
            phase = ConnectionPhase.CLOSING;
            return true;
        }
        boolean interrupted = false;
        while (phase != ConnectionPhase.GONE) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private void end() throws JMSException {
        JMSException failure = null;
        do {
            // All before the first is closed: a listener that is still running may use each of them.
            sessions.forEach(SessionCore::beginToClose);
            for (SessionCore session : sessions) {
                session.awaitIdle();
            }
            for (SessionCore session : sessions) {
                try {
                    session.close();
                } catch (JMSException e) {
                    failure = e;
                }
            }
        } while (!endWithoutSessions());
        Endpoint.await(port().close());
        temporaries.fail(new BrokerException(ErrorCode.CLOSED, "the connection is closed"));
        if (failure != null) {
            throw failure;
        }
    }

    /** False if a listener that was still running has opened another session. */
    private synchronized boolean endWithoutSessions() {
        if (sessions.isEmpty()) {
            phase = ConnectionPhase.CLOSED;
        }
        return phase == ConnectionPhase.CLOSED;
    }

    /** How a connection consumer's session makes its consumer. */
    @FunctionalInterface
    private interface Consuming {
        MessageConsumer by(ClientSession session) throws JMSException;
    }

    private ConnectionConsumer consume(ServerSessionPool pool, int maxMessages, Consuming consuming)
            throws JMSException {
        checkOpen();
        if (pool == null) {
            throw new JMSException("a connection consumer needs a pool of server sessions", "INVALID_POOL");
        } else if (maxMessages < 1) {
            throw new JMSException("a server session takes at least one message, not " + maxMessages, "INVALID_MAX");
        }
        ClientSession session = open(Session.AUTO_ACKNOWLEDGE, domain);
        try {
            return session.serve((ClientConsumer) consuming.by(session), pool, maxMessages);
        } catch (JMSException e) {
            session.close();
            throw e;
        }
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Destination destination, @Nullable String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        return consume(pool, maxMessages, session -> session.createConsumer(destination, selector));
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Queue queue, @Nullable String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        return createConnectionConsumer((Destination) queue, selector, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Topic topic, @Nullable String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        return createConnectionConsumer((Destination) topic, selector, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            Topic topic, String name, @Nullable String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        domain.checkTopics("createDurableConnectionConsumer");
        return consume(pool, maxMessages, session -> session.createDurableConsumer(topic, name, selector, false));
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            Topic topic, String name, @Nullable String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        domain.checkTopics("createSharedConnectionConsumer");
        return consume(pool, maxMessages, session -> session.createSharedConsumer(topic, name, selector));
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            Topic topic, String name, @Nullable String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        domain.checkTopics("createSharedDurableConnectionConsumer");
        return consume(pool, maxMessages, session -> session.createSharedDurableConsumer(topic, name, selector));
    }
}
