package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.CompletionListener;
import jakarta.jms.Message;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Collects what a completion listener is told, in that order, with the thread that told it. */
final class Completions implements CompletionListener {
    /** For sends that must be refused before any listener is told. */
    static final CompletionListener NONE = new Completions();

    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();

    /**
     * One call of the listener.
     *
     * @param exception null for a success
     */
    record Told(Message message, @Nullable Exception exception, Thread thread) {}

    @Override
    public void onCompletion(Message message) {
        told.add(new Told(message, null, Thread.currentThread()));
    }

    @Override
    public void onException(Message message, Exception exception) {
        told.add(new Told(message, exception, Thread.currentThread()));
    }

    int count() {
        return told.size();
    }

    /** The next call, which must come. */
    Told next() throws InterruptedException {
        Told next = told.poll(Messaging.SOON_MS, TimeUnit.MILLISECONDS);
        assertThat(next).as("a completion").isNotNull();
        return next;
    }
}
