package dev.turnstone.transport.vertx;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StateEntry;
import dev.turnstone.port.StateQuery;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A port session without consumers, whose commands are futures. Owned by one executor's thread, which completes the
 * futures.
 */
public final class StateSession implements SessionListener {
    /** No more changes in one command than any broker takes. */
    private static final int CHANGES_MAX = 500;

    private static final int EVENTS = 256;

    private final Session session;

    /** Opens a session of a connection. */
    public StateSession(Connection connection, Executor owner) {
        session = connection.openSession(() -> owner.execute(this::drain));
    }

    /** All entries of a query, however many pages they take. */
    public CompletableFuture<List<StateEntry>> list(StateQuery query) {
        List<StateEntry> all = new ArrayList<>();
        return each(query, all::add).thenApply(listed -> all);
    }

    /** Hands on each entry of a query, and keeps none. */
    public CompletableFuture<Void> each(StateQuery query, Consumer<StateEntry> to) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        listPage(query, to, result);
        return result;
    }

    private void listPage(StateQuery query, Consumer<StateEntry> to, CompletableFuture<Void> result) {
        List<StateQuery> next = new ArrayList<>(1);
        session.listState(
                query,
                page -> {
                    page.entries().forEach(to);
                    if (page.more()) {
                        next.add(query.next(page));
                    }
                },
                new Step(result, () -> {
                    if (next.isEmpty()) {
                        result.complete(null);
                    } else {
                        listPage(next.get(0), to, result);
                    }
                }));
        session.flush();
    }

    /** Makes the changes in their order, in as many units as they need. */
    public CompletableFuture<Void> change(List<StateChange> changes) {
        List<CompletableFuture<Void>> units = new ArrayList<>();
        for (int from = 0; from < changes.size(); from += CHANGES_MAX) {
            List<StateChange> unit = changes.subList(from, Math.min(from + CHANGES_MAX, changes.size()));
            units.add(command(done -> session.changeState(unit, Session.NO_TRANSACTION, done)));
        }
        return CompletableFuture.allOf(units.toArray(CompletableFuture[]::new));
    }

    /** Deletes a subscription. */
    public CompletableFuture<Void> deleteSubscription(SubscriptionName name) {
        return command(done -> session.deleteSubscription(name, done));
    }

    /** Sends a message. */
    public CompletableFuture<Void> send(Send send) {
        return command(done -> session.send(send, done));
    }

    private CompletableFuture<Void> command(Consumer<Completion> command) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        command.accept(new Step(result, () -> result.complete(null)));
        session.flush();
        return result;
    }

    private void drain() {
        while (session.drain(this, EVENTS) == EVENTS) {
            // There is more.
        }
        session.flush();
    }

    @Override
    public void delivery(Delivery delivery) {
        throw new IllegalStateException("a delivery without a consumer: " + delivery);
    }

    @Override
    public void consumerClosed(int consumer, BrokerException cause) {
        throw new IllegalStateException("there is no consumer " + consumer, cause);
    }

    private record Step(CompletableFuture<?> result, Runnable then) implements Completion {
        @Override
        public void done() {
            then.run();
        }

        @Override
        public void failed(BrokerException cause) {
            result.completeExceptionally(cause);
        }
    }
}
