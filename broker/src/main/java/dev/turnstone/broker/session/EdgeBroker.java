package dev.turnstone.broker.session;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.mailbox.Channel;
import dev.turnstone.broker.mailbox.Mailbox;
import dev.turnstone.broker.mailbox.Slots;
import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ConnectionListener;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.port.PortLimits;
import dev.turnstone.port.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The broker as its edges see it. Any thread. */
public final class EdgeBroker implements Broker {
    private final Connections connections;
    private final Mailbox mailbox;
    private final Executor notifier;

    /** Completes its stages on the notifier, so that no dependent of one runs in the engine. */
    public EdgeBroker(Connections connections, Mailbox mailbox, Executor notifier) {
        this.connections = connections;
        this.mailbox = mailbox;
        this.notifier = notifier;
    }

    @Override
    public CompletionStage<Connection> connect(Login login, ConnectionListener listener) {
        CompletableFuture<Connection> result = new CompletableFuture<>();
        mailbox.post(() -> {
            open(login, listener, result);
            return 1;
        });
        // Looked at after the post: whoever closed the mailbox before may not have seen it.
        if (mailbox.closed()) {
            result.completeExceptionally(new BrokerException(ErrorCode.STOPPED, "the broker has stopped"));
        }
        return result;
    }

    private void open(Login login, ConnectionListener listener, CompletableFuture<Connection> result) {
        try {
            Connection connection = new EdgeConnection(connections.open(login, listener));
            notifier.execute(() -> result.complete(connection));
        } catch (BrokerException refusal) {
            notifier.execute(() -> result.completeExceptionally(refusal));
        }
    }

    /** A connection as its edge sees it. Any thread. */
    private final class EdgeConnection implements Connection {
        private final ConnectionState state;
        private final PortLimits limits = connections.context().limits().port();
        private final Slots slots = new Slots(connections.context().limits().intOf(Limit.SESSIONS_MAX));

        EdgeConnection(ConnectionState state) {
            this.state = state;
        }

        @Override
        public String id() {
            return state.origin().connection();
        }

        @Override
        public PortLimits limits() {
            return limits;
        }

        @Override
        public Session openSession(Runnable wakeup) {
            if (slots.closed() || mailbox.closed()) {
                throw new BrokerException(ErrorCode.CLOSED, "the connection is closed");
            }
            if (!slots.take()) {
                throw new BrokerException(
                        ErrorCode.LIMIT_EXCEEDED,
                        "the connection has " + slots.max() + " sessions already (" + Limit.SESSIONS_MAX.setting()
                                + ")");
            }
            SessionContext context = connections.context();
            Channel channel = new Channel(
                    wakeup,
                    context.limits().of(Limit.SESSION_POSTED_MAX),
                    context.limits().of(Limit.SESSION_POSTED_BYTES_MAX));
            return new EdgeSession(new SessionState(state, context, channel, slots), mailbox, channel);
        }

        @Override
        public CompletionStage<Void> close() {
            slots.close();
            CompletableFuture<Void> done = new CompletableFuture<>();
            mailbox.post(() -> {
                connections.close(state);
                notifier.execute(() -> done.complete(null));
                return 1;
            });
            if (mailbox.closed()) {
                done.complete(null);
            }
            return done;
        }
    }
}
