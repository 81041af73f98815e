package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a session's completion listeners, one at a time and in the order of the sends, on a thread of its own (Jakarta
 * Messaging 3.1 §7.3): neither the sending thread nor the one of the message listeners, either of which may wait for
 * the callbacks. Guarded by the link's lock; the methods that wait say so.
 */
final class Callbacks implements SessionLink.Condition {
    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
    private static final int BATCH_MAX = 256;

    private final SessionLink link;
    private final String threadName;
    /** Sends whose callback has not been taken, in their order: the answered ones are first. */
    private final ArrayDeque<AsyncSend> sends = new ArrayDeque<>();

    private final List<AsyncSend> batch = new ArrayList<>();
    private int answered;
    private int open;
    private volatile @Nullable Thread thread;
    private boolean stopped;

    Callbacks(SessionLink link, String threadName) {
        this.link = link;
        this.threadName = threadName;
    }

    /** One asynchronous send, and the completion of its command. */
    final class AsyncSend implements Completion {
        private final ClientProducer producer;
        private final jakarta.jms.Message message;
        private final CompletionListener listener;
        private @Nullable BrokerException failure;

        AsyncSend(ClientProducer producer, jakarta.jms.Message message, CompletionListener listener) {
            this.producer = producer;
            this.message = message;
            this.listener = listener;
        }

        @Override
        public void done() {
            answered++;
        }

        @Override
        public void failed(BrokerException cause) {
            failure = cause;
            answered++;
        }

        void call() {
            try {
                if (failure == null) {
                    listener.onCompletion(message);
                } else {
                    listener.onException(message, Errors.of(failure));
                }
            } catch (RuntimeException | Error e) {
                // The application's fault, and there is nobody else to tell; the next callback must not suffer.
                LOG.warn("a completion listener has thrown", e);
            }
        }
    }

    /** The completion of a send that is about to be made; nothing waits for it before {@link #expect}. */
    AsyncSend prepare(ClientProducer producer, jakarta.jms.Message message, CompletionListener listener) {
        if (thread == null) {
            thread = Daemon.start(threadName, link.labels(), this::run);
        }
        return new AsyncSend(producer, message, listener);
    }

    /** The send was made, in the same hold of the lock: its listener will be called. */
    void expect(AsyncSend send) {
        sends.add(send);
        open++;
        send.producer.countOpenSends(1);
    }

    /**
     * Refuses what a completion listener must not do.
     *
     * @throws IllegalStateException on the thread that calls this session's listeners
     */
    void checkNotCallback(String what) throws IllegalStateException {
        if (Thread.currentThread() == thread) {
            throw Errors.illegal("a completion listener must not " + what + " (Jakarta Messaging 3.1 §7.3.4)");
        }
    }

    /** Waits until all callbacks have returned. Not under the lock. */
    void awaitAll() throws JMSException {
        if (thread != null) {
            link.awaitLocal(() -> open == 0);
        }
    }

    /** Waits until the callbacks of this producer's sends have returned. Not under the lock. */
    void awaitAll(ClientProducer producer) throws JMSException {
        if (thread != null) {
            link.awaitLocal(() -> producer.openSends() == 0);
        }
    }

    /** No send will follow: the thread ends when it has called the last listener. */
    void stop() {
        stopped = true;
        link.changed();
    }

    @Override
    public boolean met() {
        return answered > 0 || stopped || (link.isBroken() && !sends.isEmpty());
    }

    private void run() {
        boolean more = true;
        while (more) {
            try {
                link.awaitLocal(this);
            } catch (JMSException e) {
                throw new java.lang.IllegalStateException("a condition without failure has failed", e);
            }
            more = takeBatch();
            batch.forEach(AsyncSend::call);
            release();
        }
    }

    /** False if there is nothing more to come. */
    private boolean takeBatch() {
        link.lock();
        try {
            if (link.isBroken()) {
                failUnanswered();
            }
            int size = Math.min(answered, BATCH_MAX);
            for (int i = 0; i < size; i++) {
                batch.add(sends.removeFirst());
            }
            answered -= size;
            return !stopped || !sends.isEmpty();
        } finally {
            link.unlock();
        }
    }

    private void failUnanswered() {
        int at = 0;
        for (AsyncSend send : sends) {
            if (at++ >= answered) {
                send.failure = link.brokenBy();
            }
        }
        answered = sends.size();
    }

    private void release() {
        link.lock();
        try {
            for (AsyncSend send : batch) {
                send.producer.countOpenSends(-1);
            }
            open -= batch.size();
            batch.clear();
        } finally {
            link.unlock();
        }
        link.changed();
    }
}
