package dev.turnstone.jms;

import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a connection's exception listener, one exception at a time, on a thread of its own (Jakarta Messaging 3.1
 * §6.1.7). Any thread.
 */
final class ExceptionReports {
    private static final Logger LOG = LoggerFactory.getLogger(ExceptionReports.class);

    private final String threadName;
    private final Queue<JMSException> untold = new ArrayDeque<>();
    private @Nullable ExceptionListener listener;
    private boolean telling;
    private volatile Daemon.Labels labels;

    ExceptionReports(String threadName, Daemon.Labels labels) {
        this.threadName = threadName;
        this.labels = labels;
    }

    /** What lines of the log say of the connection. */
    Daemon.Labels labels() {
        return labels;
    }

    void labels(Daemon.Labels now) {
        labels = now;
    }

    synchronized @Nullable ExceptionListener listener() {
        return listener;
    }

    synchronized void listener(@Nullable ExceptionListener next) {
        listener = next;
    }

    /** Returns at once. Without a listener, the log must do. */
    synchronized void report(JMSException exception) {
        if (listener == null) {
            LOG.warn("no exception listener is set for: {}", exception.getMessage(), exception);
            return;
        }
        untold.add(exception);
        if (!telling) {
            telling = true;
            Daemon.start(threadName, labels, this::tell);
        }
    }

    private void tell() {
        for (JMSException exception = next(); exception != null; exception = next()) {
            ExceptionListener told = listener();
            if (told != null) {
                try {
                    told.onException(exception);
                } catch (RuntimeException | Error e) {
                    LOG.warn("an exception listener has thrown", e);
                }
            }
        }
    }

    private synchronized @Nullable JMSException next() {
        JMSException exception = untold.poll();
        telling = exception != null;
        return exception;
    }
}
