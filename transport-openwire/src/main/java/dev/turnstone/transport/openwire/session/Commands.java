package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.transport.vertx.SessionPump;
import dev.turnstone.transport.vertx.Wire;
import java.util.List;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.Command;
import org.apache.activemq.command.ConnectionId;
import org.apache.activemq.command.ConsumerControl;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.DataStructure;
import org.apache.activemq.command.DestinationInfo;
import org.apache.activemq.command.Message;
import org.apache.activemq.command.MessageAck;
import org.apache.activemq.command.MessagePull;
import org.apache.activemq.command.ProducerId;
import org.apache.activemq.command.ProducerInfo;
import org.apache.activemq.command.RemoveInfo;
import org.apache.activemq.command.RemoveSubscriptionInfo;
import org.apache.activemq.command.SessionId;
import org.apache.activemq.command.SessionInfo;
import org.apache.activemq.command.TransactionInfo;
import org.jspecify.annotations.Nullable;

/** Carries out the commands of a client that has logged in. On the event loop only. */
final class Commands {
    private final Client client;
    private final Consumers consumers;
    private final Answers answers;
    private final Transactions transactions;
    private final Sending sending;
    private final Subscribing subscribing;
    private final Acks acks;
    private final Pulls pulls;
    private final Advisories advisories;
    private final OwnTemporaries temporaries;

    /** What the parts of a connection have in common. */
    record Parts(Wire wire, SessionPump pump, Client client, Consumers consumers, Outgoing outgoing, Answers answers) {}

    Commands(Parts parts, Temporaries known, Destinations destinations) {
        client = parts.client();
        consumers = parts.consumers();
        answers = parts.answers();
        var session = parts.pump().session();
        Outgoing outgoing = parts.outgoing();
        Settling settling = new Settling(session, consumers.kept());
        transactions = new Transactions(session, client, settling, answers);
        MessageReader messages =
                new MessageReader(destinations, client.settings().populatesUserId() ? client.user() : null);
        sending = new Sending(session, client, transactions, messages, outgoing, answers);
        subscribing = new Subscribing(session, client, consumers, settling, destinations, answers);
        acks = new Acks(session, consumers, settling, transactions, outgoing, answers);
        pulls = new Pulls(parts.wire(), parts.pump(), consumers, outgoing, answers);
        advisories = new Advisories(
                parts.wire(),
                known,
                consumers.advised(),
                outgoing,
                () -> parts.pump().post());
        temporaries = new OwnTemporaries(session, client, known, answers);
        outgoing.aside(new Asides(advisories, subscribing, settling));
    }

    /**
     * Carries out one command.
     *
     * @throws BrokerException if it asks for what the client may not, or nobody can, do
     */
    void accept(Command command) {
        if (command instanceof Message message) {
            checkOwn(
                    message.getProducerId() == null
                            ? null
                            : message.getProducerId().getConnectionId());
            sending.send(message);
        } else if (command instanceof MessageAck ack) {
            acknowledge(ack);
        } else if (command instanceof MessagePull pull) {
            pulls.accept(pull);
        } else if (command instanceof TransactionInfo info) {
            transactions.accept(info);
        } else {
            arrange(command);
        }
    }

    /** What comes before, between and after messages. */
    private void arrange(Command command) {
        if (command instanceof SessionInfo info) {
            checkOwn(info.getSessionId() == null ? null : info.getSessionId().getConnectionId());
            answers.done(info);
        } else if (command instanceof ProducerInfo info) {
            checkOwn(info.getProducerId() == null ? null : info.getProducerId().getConnectionId());
            sending.add(info);
        } else if (command instanceof ConsumerInfo info) {
            subscribe(info);
        } else if (command instanceof ConsumerControl control) {
            if (advisories.has(control.getConsumerId())) {
                answers.done(control);
            } else {
                subscribing.control(control);
            }
        } else if (command instanceof DestinationInfo info) {
            temporaries.accept(info);
        } else if (command instanceof RemoveSubscriptionInfo info) {
            checkOwn(
                    info.getConnectionId() == null
                            ? null
                            : info.getConnectionId().getValue());
            subscribing.removeSubscription(info);
        } else if (command instanceof RemoveInfo info) {
            remove(info);
        } else {
            throw new BrokerException(
                    ErrorCode.UNSUPPORTED,
                    "a client that has logged in does not send "
                            + command.getClass().getSimpleName());
        }
    }

    private void acknowledge(MessageAck ack) {
        if (advisories.has(ack.getConsumerId())) {
            answers.done(ack);
        } else {
            acks.accept(ack);
        }
    }

    private void subscribe(ConsumerInfo info) {
        ConsumerId id = info.getConsumerId();
        checkOwn(id == null ? null : id.getConnectionId());
        if (Advisories.are(info.getDestination())) {
            subscribing.checkRoomFor(1);
            advisories.add(info);
            answers.done(info);
        } else {
            subscribing.add(info);
        }
    }

    private void checkOwn(@Nullable String connection) {
        if (!client.id().getValue().equals(connection)) {
            throw new BrokerException(
                    ErrorCode.FORBIDDEN, "the command names the connection " + connection + " and not its own");
        }
    }

    private void remove(RemoveInfo info) {
        DataStructure object = info.getObjectId();
        if (object instanceof ConsumerId id) {
            checkOwn(id.getConnectionId());
            advisories.remove(id);
            subscribing.remove(info, consumers.named(id));
        } else if (object instanceof ProducerId id) {
            checkOwn(id.getConnectionId());
            sending.remove(id);
            answers.done(info);
        } else if (object instanceof SessionId id) {
            checkOwn(id.getConnectionId());
            end(consumers.of(id), info);
            // The library takes down neither its producers nor who hears of temporary destinations one by one.
            sending.removeOf(id);
            advisories.removeOf(id);
            subscribing.confirm(info);
        } else {
            throw new BrokerException(ErrorCode.UNSUPPORTED, "there is no removing " + object);
        }
    }

    /** True for a client's goodbye. */
    static boolean isGoodbye(Command command) {
        return command instanceof RemoveInfo info && info.getObjectId() instanceof ConnectionId;
    }

    /** The client says goodbye, for no other connection than this one: all its consumers end. */
    void leave(RemoveInfo info) {
        checkOwn(((ConnectionId) info.getObjectId()).getValue());
        end(consumers.all(), info);
    }

    private void end(List<OpenWireConsumer> ended, RemoveInfo info) {
        ended.forEach(consumer -> subscribing.end(consumer, info.getLastDeliveredSequenceId()));
    }

    /** The socket, which was full, takes more again. */
    void drained() {
        advisories.tellOn();
    }

    /** The connection is gone. */
    void close() {
        advisories.close();
        temporaries.close();
    }

    private record Asides(Advisories advisories, Subscribing subscribing, Settling settling) implements Outgoing.Aside {
        @Override
        public void named(ActiveMQDestination temporary) {
            advisories.named(temporary);
        }

        @Override
        public void found(int watch, Address queue) {
            subscribing.found(watch, queue);
        }

        @Override
        public void refused(OpenWireConsumer consumer, Delivery delivery, String why) {
            settling.refuse(consumer, delivery, why);
        }

        @Override
        public void again(OpenWireConsumer consumer, Held held, Kept.Entry known) {
            settling.again(consumer, held, known);
        }
    }
}
