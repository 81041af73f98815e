package dev.turnstone.broker.session;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ConnectionListener;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All connections by id, and who has which client identifier. Owned by the engine thread. */
public final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private final SessionContext context;
    private final Map<String, ConnectionState> open = new LinkedHashMap<>();
    private final Map<String, ConnectionState> byClientId = new HashMap<>();
    private final String prefix;
    private long opened;

    /** None yet; ids start with the prefix. */
    public Connections(String prefix, SessionContext context) {
        this.prefix = prefix;
        this.context = context;
    }

    ConnectionState open(Login login, ConnectionListener listener) {
        int max = context.limits().intOf(Limit.CONNECTIONS_MAX);
        if (open.size() >= max) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "there are " + max + " connections already (" + Limit.CONNECTIONS_MAX.setting() + ")");
        }
        String clientId = login.clientId();
        if (clientId != null && byClientId.containsKey(clientId)) {
            throw new BrokerException(
                    ErrorCode.CLIENT_ID_IN_USE, "another connection has the client identifier '" + clientId + "'");
        }
        ConnectionState connection = new ConnectionState(new Origin(prefix + ++opened, clientId), listener);
        open.put(connection.origin().connection(), connection);
        if (clientId != null) {
            byClientId.put(clientId, connection);
        }
        context.addresses().opened(connection.origin().connection());
        return connection;
    }

    /** Ends a connection, if it is open. */
    void close(ConnectionState connection) {
        if (open.remove(connection.origin().connection()) == null) {
            return;
        }
        connection.close();
        if (connection.origin().clientId() != null) {
            byClientId.remove(connection.origin().clientId());
        }
        context.addresses().closed(connection.origin().connection());
    }

    /** Ends all, in order: deliveries return to their queues. */
    public void closeAll() {
        for (ConnectionState connection : open.values()) {
            connection.close();
        }
    }

    /** Tells all that the broker has ended them. */
    public void tellAll(BrokerException cause) {
        for (ConnectionState connection : open.values()) {
            try {
                connection.listener().closed(cause);
            } catch (RuntimeException e) {
                LOG.warn(
                        "Connection {} failed to hear that it ended",
                        connection.origin().connection(),
                        e);
            }
        }
        open.clear();
        byClientId.clear();
    }

    SessionContext context() {
        return context;
    }
}
