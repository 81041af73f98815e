package dev.turnstone.port;

import dev.turnstone.spi.Principal;
import java.util.concurrent.CompletionStage;

/** A running broker. Any thread. */
public interface Broker {
    /**
     * Opens a connection. The stage completes on a broker thread; it fails with a {@link BrokerException}:
     * UNAUTHENTICATED, CLIENT_ID_IN_USE, LIMIT_EXCEEDED or STOPPED.
     */
    CompletionStage<Connection> connect(Login login, ConnectionListener listener);

    /**
     * Opens a connection for what a protocol has to do when its peer is not there: with the permissions of a principal
     * whose connection there once was, if the broker's security still vouches for it, or with {@link Principal#BROKER}
     * in the broker's own name. An edge never lends it to a peer. The stage completes as that of {@link #connect}, and
     * fails with UNAUTHENTICATED if nobody vouches for the principal any more.
     *
     * @param login whose behalf appears in logs; nobody is authenticated by it. Its client identifier counts for
     *     permissions, and is not in use by the connection
     */
    CompletionStage<Connection> resume(Principal principal, Login login, ConnectionListener listener);
}
