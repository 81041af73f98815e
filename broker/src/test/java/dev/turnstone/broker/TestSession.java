package dev.turnstone.broker;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session whose events are collected. One thread. */
final class TestSession implements SessionListener {
    final TestBroker broker;
    final Connection connection;
    final Session port;
    final List<Delivery> deliveries = new ArrayList<>();
    final List<Object> events = new ArrayList<>();
    int wakeups;

    TestSession(TestBroker broker, Connection connection) {
        this.broker = broker;
        this.connection = connection;
        this.port = connection.openSession(() -> wakeups++);
    }

    /** The outcome of one command. */
    static final class Result implements Completion {
        boolean done;

        @Nullable
        BrokerException cause;

        @Override
        public void done() {
            done = true;
        }

        @Override
        public void failed(BrokerException refusal) {
            cause = refusal;
        }

        @Nullable
        ErrorCode code() {
            return cause == null ? null : cause.code();
        }
    }

    Result send(Message message) {
        return send(message, Session.NO_TRANSACTION);
    }

    Result send(Message message, long transaction) {
        Result result = new Result();
        port.send(new Send(message, transaction), result);
        return flushed(result);
    }

    Result send(String queue, String text) {
        return send(text(queue, text).build());
    }

    static MessageBuilder text(String queue, String text) {
        return MessageBuilder.to(Address.queue(queue)).text(text);
    }

    Result subscribe(int consumer, String queue, int credit) {
        return subscribe(Subscribe.to(consumer, Address.queue(queue)), credit);
    }

    Result subscribe(Subscribe subscribe, int credit) {
        Result result = new Result();
        port.subscribe(subscribe, result);
        if (credit > 0) {
            port.credit(subscribe.consumer(), credit);
        }
        return flushed(result);
    }

    Result settle(Delivery delivery, Outcome outcome) {
        return settle(Settle.one(delivery, outcome));
    }

    Result settle(Settle settle) {
        Result result = new Result();
        port.settle(settle, result);
        return flushed(result);
    }

    Result accept(Delivery delivery, long transaction) {
        return settle(
                new Settle(delivery.consumer(), delivery.number(), delivery.number(), Outcome.ACCEPTED, transaction));
    }

    Result begin(long transaction) {
        Result result = new Result();
        port.begin(transaction, result);
        return flushed(result);
    }

    Result declareTemporary(Address temporary) {
        Result result = new Result();
        port.declareTemporary(temporary, result);
        return flushed(result);
    }

    Result commit(long transaction) {
        Result result = new Result();
        port.commit(transaction, result);
        return flushed(result);
    }

    Result rollback(long transaction) {
        Result result = new Result();
        port.rollback(transaction, result);
        return flushed(result);
    }

    Result flushed(Result result) {
        port.flush();
        broker.run();
        drain();
        return result;
    }

    /** Lets the disk follow and takes what has come since the last time. */
    List<Delivery> receive() {
        broker.settle();
        drain();
        List<Delivery> received = List.copyOf(deliveries);
        deliveries.clear();
        events.clear();
        return received;
    }

    List<String> texts() {
        return receive().stream().map(d -> String.valueOf(d.message().text())).toList();
    }

    /** All that comes, however many pages must be read for it. */
    List<String> allTexts() {
        List<String> all = new ArrayList<>();
        for (List<String> some = texts(); !some.isEmpty(); some = texts()) {
            all.addAll(some);
        }
        return all;
    }

    void drain() {
        while (port.drain(this, 100) == 100) {
            // until empty
        }
    }

    @Override
    public void delivery(Delivery delivery) {
        deliveries.add(delivery);
        events.add(delivery);
    }

    @Override
    public void browseEnded(int consumer) {
        events.add("end of " + consumer);
    }

    @Override
    public void consumerClosed(int consumer, BrokerException cause) {
        events.add(cause);
    }
}
