package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Session;
import dev.turnstone.transport.vertx.SessionPump;
import dev.turnstone.transport.vertx.Wire;
import org.apache.activemq.command.MessagePull;

/**
 * Consumers that ask for each message (prefetch 0): one message, or the word that there is none in time. On the event
 * loop only.
 */
final class Pulls {
    private final Wire wire;
    private final SessionPump pump;
    private final Session session;
    private final Consumers consumers;
    private final Outgoing outgoing;
    private final Answers answers;

    Pulls(Wire wire, SessionPump pump, Consumers consumers, Outgoing outgoing, Answers answers) {
        this.wire = wire;
        this.pump = pump;
        this.session = pump.session();
        this.consumers = consumers;
        this.outgoing = outgoing;
        this.answers = answers;
    }

    void accept(MessagePull pull) {
        OpenWireConsumer consumer = consumers.named(pull.getConsumerId());
        if (consumer == null) {
            throw new BrokerException(
                    ErrorCode.NO_SUCH_CONSUMER, "the connection has no consumer " + pull.getConsumerId());
        }
        long request = consumer.asking().begin();
        if (request != 0) {
            consumer.ports().keySet().stream().filter(consumer.asking()::asks).forEach(port -> session.credit(port, 1));
            if (pull.getTimeout() < 0) {
                // The broker may hand out what credit allows after answering a sync that followed the credit; the
                // answer to a second one comes behind that.
                session.sync(new Then(() -> session.sync(new Then(() -> end(consumer, request)))));
            } else if (pull.getTimeout() > 0) {
                consumer.asking().timed(wire.afterMs(pull.getTimeout(), () -> {
                    end(consumer, request);
                    pump.post();
                }));
            }
        }
        answers.done(pull);
    }

    /** Nothing has come in time: what comes from now on goes back. */
    private void end(OpenWireConsumer consumer, long request) {
        if (!consumer.asking().isOpen(request) || consumer.isDeaf()) {
            return;
        }
        if (consumer.prefetch() > 0) {
            // It has got a prefetch meanwhile, as a consumer does when its client has come back: that stays.
            consumer.asking().end();
            outgoing.nothing(consumer);
            return;
        }
        consumer.asking().recall();
        if (consumer.ports().isEmpty()) {
            consumer.asking().end();
            outgoing.nothing(consumer);
            return;
        }
        int[] open = {consumer.ports().size()};
        Runnable recalled = () -> {
            if (--open[0] == 0) {
                consumer.asking().end();
                if (!consumer.hasEnded()) {
                    outgoing.nothing(consumer);
                }
            }
        };
        consumer.ports().forEach((port, delivered) -> session.recall(port, delivered, new Then(recalled)));
    }

    /** Goes on when a command has come back, done or not. */
    private record Then(Runnable then) implements Completion {
        @Override
        public void done() {
            then.run();
        }

        @Override
        public void failed(BrokerException cause) {
            then.run();
        }
    }
}
