package dev.turnstone.xa;

import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import java.sql.SQLException;
import javax.sql.XADataSource;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives recovery a resource of one broker or database, over a connection of its own that is opened when it is first
 * needed, and anew after it has failed. Any thread.
 */
final class RecoverySource implements XAResourceRecoveryHelper, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RecoverySource.class);
    private static final XAResource[] NONE = {};

    private final String name;
    private final Opening opening;
    private @Nullable Opened opened;

    /** A connection, and its resource. */
    private record Opened(NamedResource resource, Quietly.Closing connection) {}

    @FunctionalInterface
    private interface Opening {
        Opened open(String name) throws JMSException, SQLException;
    }

    private RecoverySource(String name, Opening opening) {
        this.name = name;
        this.opening = opening;
    }

    static RecoverySource of(String name, XAConnectionFactory factory) {
        return new RecoverySource(name, of -> {
            XAConnection connection = factory.createXAConnection();
            return new Opened(new NamedResource(of, connection.createXASession().getXAResource()), connection::close);
        });
    }

    static RecoverySource of(String name, XADataSource source) {
        return new RecoverySource(name, of -> {
            javax.sql.XAConnection connection = source.getXAConnection();
            return new Opened(new NamedResource(of, connection.getXAResource()), connection::close);
        });
    }

    @Override
    public boolean initialise(String parameter) {
        return true;
    }

    /** Empty if it cannot be reached: the next scan tries again. */
    @Override
    public synchronized XAResource[] getXAResources() {
        if (opened != null && opened.resource().failed()) {
            close();
        }
        if (opened == null) {
            try {
                opened = opening.open(name);
            } catch (JMSException | SQLException e) {
                LOG.warn("Recovery cannot reach {}; it will try again: {}", name, e.getMessage());
                return NONE;
            }
        }
        return new XAResource[] {opened.resource()};
    }

    @Override
    public synchronized void close() {
        if (opened != null) {
            Quietly.close(opened.connection());
            opened = null;
        }
    }
}
