package dev.turnstone.broker.embedded;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A session used as an application would: its thread waits for what it asked for. One thread. */
final class EdgeClient implements SessionListener, Completion {
    private static final long PATIENCE_SECONDS = 30;

    private final BlockingQueue<Boolean> wakeups = new ArrayBlockingQueue<>(1);
    private final Session session;
    private @Nullable Delivery delivery;
    private @Nullable BrokerException cause;
    private int done;

    EdgeClient(Connection connection) {
        this.session = connection.openSession(() -> wakeups.offer(true));
    }

    /** Sends and waits for the confirmation. */
    void send(String queue, String text) throws InterruptedException {
        int before = done;
        session.send(Send.of(MessageBuilder.to(Address.queue(queue)).text(text).build()), this);
        session.flush();
        while (done == before) {
            await();
        }
    }

    /** Takes one message from a queue and waits until that is durable. */
    String receive(int consumer, String queue) throws InterruptedException {
        session.subscribe(Subscribe.to(consumer, Address.queue(queue)), this);
        session.credit(consumer, 1);
        session.flush();
        while (delivery == null) {
            await();
        }
        Delivery received = delivery;
        delivery = null;
        int before = done;
        session.settle(Settle.one(received, Outcome.ACCEPTED), this);
        session.unsubscribe(consumer, received.number(), this);
        session.flush();
        while (done < before + 2) {
            await();
        }
        return String.valueOf(received.message().text());
    }

    private void await() throws InterruptedException {
        if (session.drain(this, 16) == 0 && wakeups.poll(PATIENCE_SECONDS, TimeUnit.SECONDS) == null) {
            throw new AssertionError("nothing came");
        }
        if (cause != null) {
            throw cause;
        }
    }

    @Override
    public void delivery(Delivery next) {
        delivery = next;
    }

    @Override
    public void consumerClosed(int consumer, BrokerException why) {
        cause = why;
    }

    @Override
    public void done() {
        done++;
    }

    @Override
    public void failed(BrokerException why) {
        cause = why;
    }
}
