package dev.turnstone.broker.session;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.mailbox.Channel;
import dev.turnstone.broker.mailbox.Mailbox;
import dev.turnstone.broker.mailbox.PostLimits;
import dev.turnstone.broker.mailbox.Slots;
import dev.turnstone.broker.security.Security;
import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ConnectionListener;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.port.PortLimits;
import dev.turnstone.port.Session;
import dev.turnstone.spi.Principal;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** The broker as its edges see it. Any thread. */
public final class EdgeBroker implements Broker {
    private static final Logger LOG = LoggerFactory.getLogger(EdgeBroker.class);

    private final Connections connections;
    private final Mailbox mailbox;
    private final Executor notifier;
    private final PostLimits posts;

    /** Completes its stages on the notifier, so that no dependent of one runs in the engine. */
    public EdgeBroker(Connections connections, Mailbox mailbox, Executor notifier) {
        this.connections = connections;
        this.mailbox = mailbox;
        this.notifier = notifier;
        Limits limits = connections.context().limits();
        this.posts = new PostLimits(limits.of(Limit.SESSION_POSTED_MAX), limits.of(Limit.SESSION_POSTED_BYTES_MAX));
    }

    @Override
    public CompletionStage<Connection> connect(Login login, ConnectionListener listener) {
        CompletableFuture<Connection> result = new CompletableFuture<>();
        post(() -> begin(login, listener, result), result);
        return result;
    }

    @Override
    public CompletionStage<Connection> resume(Principal principal, Login login, ConnectionListener listener) {
        CompletableFuture<Connection> result = new CompletableFuture<>();
        post(
                () -> {
                    try {
                        Connection made = new EdgeConnection(connections.resumed(login, principal, listener));
                        notifier.execute(() -> result.complete(made));
                    } catch (BrokerException refusal) {
                        notifier.execute(() -> result.completeExceptionally(refusal));
                    }
                },
                result);
        return result;
    }

    private void post(Runnable step, CompletableFuture<Connection> result) {
        mailbox.post(() -> {
            step.run();
            return 1;
        });
        // Looked at after the post: whoever closed the mailbox before may not have seen it.
        if (mailbox.closed()) {
            result.completeExceptionally(new BrokerException(ErrorCode.STOPPED, "the broker has stopped"));
        }
    }

    private void begin(Login login, ConnectionListener listener, CompletableFuture<Connection> result) {
        try {
            LoggingIn begun =
                    connections.loggingIn(login, late -> notifier.execute(() -> result.completeExceptionally(late)));
            Principal known = connections.known(begun);
            if (known != null) {
                answer(begun, known, null, listener, result);
                return;
            }
            // Whatever an authenticator does else, it does not do it in the engine.
            notifier.execute(() -> authenticate(login, begun.security())
                    .whenComplete((principal, fault) ->
                            post(() -> answer(begun, principal, fault, listener, result), result)));
        } catch (BrokerException refusal) {
            connections.refusedAtOnce(login, refusal);
            notifier.execute(() -> result.completeExceptionally(refusal));
        }
    }

    private static CompletionStage<Principal> authenticate(Login login, Security security) {
        try {
            return Objects.requireNonNull(
                    security.authenticator().authenticate(login), "the authenticator has answered with null");
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private void answer(
            LoggingIn checked,
            @Nullable Principal principal,
            @Nullable Throwable fault,
            ConnectionListener listener,
            CompletableFuture<Connection> result) {
        if (!connections.isBeingChecked(checked)) {
            return;
        }
        try {
            if (principal == null) {
                throw refusal(checked.login(), fault);
            }
            Connection connection = new EdgeConnection(connections.loggedIn(checked, principal, listener));
            notifier.execute(() -> result.complete(connection));
        } catch (BrokerException refusal) {
            connections.refused(checked, refusal);
            notifier.execute(() -> result.completeExceptionally(refusal));
        }
    }

    private static BrokerException refusal(Login login, @Nullable Throwable fault) {
        Throwable cause = fault instanceof CompletionException wrapped ? wrapped.getCause() : fault;
        if (cause instanceof BrokerException known) {
            return known;
        }
        MDC.put("remote", login.remote());
        LOG.error("{}: the login could not be checked", login.remote(), cause);
        MDC.remove("remote");
        return new BrokerException(
                ErrorCode.UNAUTHENTICATED, "the login could not be checked; the broker's log says why");
    }

    /** A connection as its edge sees it. Any thread. */
    private final class EdgeConnection implements Connection {
        private final ConnectionState state;
        private final Principal principal;
        private final Slots slots = new Slots(connections.context().limits().intOf(Limit.SESSIONS_MAX));

        EdgeConnection(ConnectionState state) {
            this.state = state;
            this.principal = state.access().principal();
        }

        @Override
        public String id() {
            return state.origin().connection();
        }

        @Override
        public Principal principal() {
            return principal;
        }

        @Override
        public PortLimits limits() {
            return connections.context().limits().port();
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
            Channel channel = new Channel(state.origin().connection(), mailbox, wakeup, posts);
            return new EdgeSession(new SessionState(state, context, channel, slots), channel);
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
