package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.transport.vertx.Wire;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.activemq.command.BrokerId;
import org.apache.activemq.command.BrokerInfo;
import org.apache.activemq.command.ConnectionId;
import org.apache.activemq.command.ConnectionInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one client in. A client that has lost its connection comes back with the same name, perhaps before the broker
 * has noticed: its older connection then ends first, with all that it had open, and the new one begins. On the event
 * loop only.
 */
final class LoginDesk {
    private static final Logger LOG = LoggerFactory.getLogger(LoginDesk.class);

    private final OpenWireConnection owner;
    private final Wire wire;
    private final OpenWireBroker broker;
    private final String identity;
    private final OpenWireSettings settings;
    private final Destinations destinations;
    private final Consumers consumers = new Consumers();
    private final MessageWriter writer;
    private volatile @Nullable Login login;
    private volatile @Nullable String user;
    private @Nullable ConnectionId id;

    LoginDesk(OpenWireConnection owner, Wire wire, OpenWireBroker broker, String identity, OpenWireSettings settings) {
        this.owner = owner;
        this.wire = wire;
        this.broker = broker;
        this.identity = identity;
        this.settings = settings;
        destinations = new Destinations(broker.temporaries());
        writer = new MessageWriter(destinations, identity);
    }

    Consumers consumers() {
        return consumers;
    }

    MessageWriter writer() {
        return writer;
    }

    /** What the client is told about the broker. */
    BrokerInfo brokerInfo() {
        BrokerInfo info = new BrokerInfo();
        info.setBrokerId(new BrokerId(identity));
        info.setBrokerName("turnstone");
        return info;
    }

    /** The commands of a client that has logged in. */
    Commands open(Commands.Parts parts) {
        broker.entered(parts.client().id(), owner);
        return new Commands(parts, broker.temporaries(), destinations);
    }

    void left() {
        if (id != null) {
            broker.left(id, owner);
        }
    }

    void login(ConnectionInfo info) {
        if (info.getConnectionId() == null || info.getConnectionId().getValue() == null) {
            owner.loginRefused(info, new BrokerException(ErrorCode.INVALID_MESSAGE, "the login names no connection"));
            return;
        }
        String clientId = info.getClientId() == null || info.getClientId().isEmpty() ? null : info.getClientId();
        Login asked = new Login(
                info.getUserName(), info.getPassword(), clientId, "openwire", wire.remote(), wire.tlsSubject());
        login = asked;
        id = info.getConnectionId();
        OpenWireConnection older = older(asked, info.getConnectionId());
        connect(asked)
                .handle((made, fault) -> older == null ? settled(made, fault) : replaced(older, asked, made, fault))
                .thenCompose(stage -> stage)
                .whenComplete((made, fault) -> wire.execute(() -> answered(info, clientId, made, fault)));
    }

    private CompletionStage<Connection> connect(Login asked) {
        return broker.broker().connect(asked, cause -> wire.execute(() -> owner.brokerClosed(cause)));
    }

    /** The same user's connection of the same name, if it is still there. */
    private @Nullable OpenWireConnection older(Login asked, ConnectionId name) {
        OpenWireConnection older = broker.connected(name);
        return older != null && older.hasLoggedInAs(asked) ? older : null;
    }

    /** Whether the client that logged in here is the one that logs in there. Any thread. */
    boolean isSameClient(Login other) {
        Login mine = login;
        return mine != null
                && String.valueOf(mine.user()).equals(String.valueOf(other.user()))
                && String.valueOf(mine.password()).equals(String.valueOf(other.password()))
                && String.valueOf(mine.clientId()).equals(String.valueOf(other.clientId()))
                && Objects.equals(mine.tlsSubject(), other.tlsSubject());
    }

    /** Whom the client that logged in here acts for, or null. Any thread. */
    @Nullable
    String user() {
        return user;
    }

    private static CompletionStage<Connection> settled(@Nullable Connection made, @Nullable Throwable fault) {
        return made != null ? CompletableFuture.completedFuture(made) : CompletableFuture.failedFuture(cause(fault));
    }

    /** Only who could log in, or could but for the identifier that the older connection has, ends that. */
    private CompletionStage<Connection> replaced(
            OpenWireConnection older, Login asked, @Nullable Connection made, @Nullable Throwable fault) {
        if (made != null && !made.principal().name().equals(older.user())) {
            return settled(made, fault);
        }
        if (made != null) {
            return older.evict().thenApply(ended -> made);
        }
        if (cause(fault) instanceof BrokerException refusal && refusal.code() == ErrorCode.CLIENT_ID_IN_USE) {
            return older.evict().thenCompose(ended -> connect(asked));
        }
        return settled(null, fault);
    }

    private static Throwable cause(@Nullable Throwable fault) {
        Throwable known = fault == null ? new IllegalStateException("no connection and no reason") : fault;
        return known instanceof CompletionException && known.getCause() != null ? known.getCause() : known;
    }

    private void answered(
            ConnectionInfo info, @Nullable String clientId, @Nullable Connection made, @Nullable Throwable fault) {
        if (made != null) {
            user = made.principal().name();
            owner.loggedIn(
                    info,
                    made,
                    new Client(
                            info.getConnectionId(),
                            made.principal().name(),
                            clientId,
                            info.isFaultTolerant(),
                            broker.awayMs(info.getConnectionId()),
                            made.id(),
                            settings));
            return;
        }
        if (cause(fault) instanceof BrokerException refusal) {
            owner.loginRefused(info, refusal);
        } else {
            LOG.error("{}: login failed", wire.remote(), fault);
            owner.loginRefused(
                    info,
                    new BrokerException(
                            ErrorCode.UNAUTHENTICATED, "the login failed for a reason that the broker's log has"));
        }
    }
}
