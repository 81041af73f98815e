package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ConnectionListener;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.BrokerConnector;
import jakarta.jms.JMSException;
import java.net.URI;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Finds the connector for a URL's scheme and connects. Any thread. */
final class Endpoint {
    private static final String PROTOCOL = "jms";

    private Endpoint() {}

    /** Connects and waits for it. */
    static Connection connect(
            URI url,
            @Nullable String user,
            @Nullable String password,
            @Nullable String clientId,
            ConnectionListener listener)
            throws JMSException {
        String scheme = url.getScheme().toLowerCase(Locale.ROOT);
        Login login = new Login(user, password, clientId, PROTOCOL, scheme);
        try {
            return await(connector(scheme, url).connect(url, login, listener));
        } catch (BrokerException e) {
            throw Errors.of(e);
        }
    }

    private static BrokerConnector connector(String scheme, URI url) throws JMSException {
        Set<String> known = new TreeSet<>();
        for (BrokerConnector connector : ServiceLoader.load(BrokerConnector.class, Endpoint.class.getClassLoader())) {
            if (connector.schemes().contains(scheme)) {
                return connector;
            }
            known.addAll(connector.schemes());
        }
        throw Errors.of(new BrokerException(
                ErrorCode.INVALID_CONFIGURATION,
                "no connector for the scheme '" + scheme + "' of " + url + " is on the class path; there are: "
                        + known));
    }

    /** Waits for the stage, uninterruptibly, and fails as it does. */
    static <T> T await(CompletionStage<T> stage) throws JMSException {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof BrokerException refused) {
                throw Errors.of(refused);
            }
            throw Errors.unexpected(e.getCause() == null ? e : e.getCause());
        }
    }
}
