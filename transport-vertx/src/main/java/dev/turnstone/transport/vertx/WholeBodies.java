package dev.turnstone.transport.vertx;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.Settle;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a protocol whose messages go in one piece the bodies that are stored apart: reads them, a chunk at a time,
 * while what came behind them waits. One that is too large is rejected, and so becomes a dead letter; if it comes again
 * all the same, as from the dead-letter address, it stays with its consumer, unseen, until that ends. On the
 * connection's event loop only.
 */
final class WholeBodies implements SessionListener {
    private static final Logger LOG = LoggerFactory.getLogger(WholeBodies.class);
    private static final int UNFIT_MAX = 10_000;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Session session;
    private final SessionOutput output;
    private final int bytesMax;
    /** {@link Delivery}s, and {@link Runnable}s that tell of what came between them; null if there are none. */
    private @Nullable ArrayDeque<Object> waiting;

    /** What was too large, those that came last. Not to be changed before the first. */
    private Set<Unfit> unfit = Set.of();

    private @Nullable Delivery current;
    private ByteBuffer body = NOTHING;
    private long chunks;
    private long numbers;

    WholeBodies(Session session, SessionOutput output, int bytesMax) {
        this.session = session;
        this.output = output;
        this.bytesMax = bytesMax;
    }

    @Override
    public void delivery(Delivery delivery) {
        if (current == null && !delivery.message().hasStoredBody()) {
            output.delivery(delivery);
        } else {
            wait(delivery);
        }
    }

    @Override
    public void browseEnded(int consumer) {
        wait((Runnable) () -> output.browseEnded(consumer));
    }

    @Override
    public void queueFound(int watch, Address queue) {
        output.queueFound(watch, queue);
    }

    @Override
    public void consumerClosed(int consumer, BrokerException cause) {
        wait((Runnable) () -> output.consumerClosed(consumer, cause));
    }

    private void wait(Object event) {
        ArrayDeque<Object> all = waiting == null ? new ArrayDeque<>(1) : waiting;
        waiting = all;
        all.add(event);
        if (current == null) {
            handOn();
        }
    }

    private void handOn() {
        while (current == null && waiting != null) {
            Object event = waiting.remove();
            if (waiting.isEmpty()) {
                waiting = null;
            }
            if (event instanceof Runnable tell) {
                tell.run();
            } else if (event instanceof Delivery delivery) {
                if (!delivery.message().hasStoredBody()) {
                    output.delivery(delivery);
                } else if (delivery.message().bodyLength() > bytesMax) {
                    refuse(delivery);
                } else {
                    begin(delivery);
                }
            }
        }
    }

    private void refuse(Delivery delivery) {
        String why = "a body of " + delivery.message().bodyLength()
                + " bytes is larger than what this protocol's clients get in one piece (wholeBytesMax=" + bytesMax
                + ")";
        LOG.warn("{} is not delivered: {}", delivery.message(), why);
        if (unfit.isEmpty()) {
            unfit = new LinkedHashSet<>();
        } else if (unfit.size() >= UNFIT_MAX) {
            unfit.remove(unfit.iterator().next());
        }
        boolean rejects = unfit.add(new Unfit(delivery.consumer(), delivery.position())) || output.rejectsAgain();
        Completion noted = Completion.onFailure(cause -> LOG.warn("it could not be rejected", cause));
        if (!rejects
                || asks(() ->
                        session.settle(Settle.one(delivery, Outcome.REJECTED).because(why), noted))) {
            asks(() -> session.credit(delivery.consumer(), 1));
        }
    }

    /** A message that a consumer has met. */
    private record Unfit(int consumer, long position) {}

    private void begin(Delivery delivery) {
        current = delivery;
        body = ByteBuffer.allocate((int) delivery.message().bodyLength());
        chunks = 0;
        if (asks(() -> session.bodies().open(++numbers, delivery.message(), Completion.onFailure(this::gone)))) {
            readNext();
        }
    }

    /** False if the session has been closed meanwhile: nobody takes what still comes of it. */
    private boolean asks(Runnable command) {
        try {
            command.run();
            return true;
        } catch (BrokerException e) {
            if (e.code() != ErrorCode.CLOSED) {
                throw e;
            }
            LOG.debug("what waits is not delivered: {}", e.getMessage());
            current = null;
            waiting = null;
            return false;
        }
    }

    private void readNext() {
        asks(() -> session.bodies().read(numbers, chunks++, body::put, new Read()));
    }

    /** The message was taken back meanwhile: its consumer has ended. */
    private void gone(BrokerException cause) {
        if (current != null && cause.code() != ErrorCode.CLOSED) {
            LOG.debug("{} is not delivered: {}", current.message(), cause.getMessage());
            end();
        }
    }

    private void end() {
        asks(() -> session.bodies().close(numbers));
        current = null;
        body = NOTHING;
        handOn();
    }

    /** A chunk has come. */
    private final class Read implements Completion {
        private final long of = numbers;

        @Override
        public void done() {
            Delivery delivery = current;
            if (delivery == null || of != numbers) {
                return;
            }
            if (body.hasRemaining()) {
                readNext();
                return;
            }
            Message message = delivery.message();
            Message whole =
                    message.toBuilder().body(message.bodyKind(), body.flip()).build();
            output.delivery(new Delivery(
                    delivery.consumer(),
                    delivery.number(),
                    delivery.position(),
                    message.retained() ? whole.asRetained() : whole,
                    delivery.deliveryCount(),
                    delivery.redelivered(),
                    delivery.filters(),
                    delivery.groupFirst()));
            end();
        }

        @Override
        public void failed(BrokerException cause) {
            if (of == numbers) {
                gone(cause);
            }
        }
    }
}
