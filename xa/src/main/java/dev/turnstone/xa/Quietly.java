package dev.turnstone.xa;

import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what is not needed any more. */
final class Quietly {
    private static final Logger LOG = LoggerFactory.getLogger(Quietly.class);

    private Quietly() {}

    /** Something that can be closed. */
    @FunctionalInterface
    interface Closing {
        void close() throws JMSException, SQLException;
    }

    /** Closes it; that it cannot be closed is of interest to nobody but the log. */
    static void close(Closing closing) {
        try {
            closing.close();
        } catch (JMSException | JMSRuntimeException | SQLException e) {
            LOG.debug("Closing failed", e);
        }
    }
}
