package dev.turnstone.server.security;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.AuthenticatorProvider;
import dev.turnstone.spi.Authorizer;
import dev.turnstone.spi.AuthorizerProvider;
import dev.turnstone.spi.Principal;
import java.io.Closeable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Plug-ins of a test's own, found as anybody's are. */
public final class TestPlugins {
    /** The users for whom an authenticator was closed. */
    public static final List<String> CLOSED = new CopyOnWriteArrayList<>();

    /** The user, and the end of addresses, for which they throw. */
    public static final String BROKEN = "broken";

    private TestPlugins() {}

    /** Knows one user, whose name and password are options. */
    public static final class Logins implements AuthenticatorProvider {
        @Override
        public String name() {
            return "one-user";
        }

        @Override
        public Authenticator open(Map<String, String> options) {
            if (!options.containsKey("user")) {
                throw new BrokerException(ErrorCode.INVALID_CONFIGURATION, "the option 'user' is missing");
            }
            return new OneUser(options.get("user"), options.get("password"));
        }
    }

    private record OneUser(String name, String password) implements Authenticator, Closeable {
        @Override
        public CompletionStage<Principal> authenticate(Login login) {
            if (BROKEN.equals(login.user())) {
                throw new IllegalStateException("the directory is not there");
            }
            return name.equals(login.user()) && password.equals(login.password())
                    ? CompletableFuture.completedStage(new Principal(name, Set.of(), Principal.NEVER, "one"))
                    : CompletableFuture.failedStage(new BrokerException(ErrorCode.UNAUTHENTICATED, "not you"));
        }

        @Override
        public Principal renew(Principal principal) {
            if (!principal.name().equals(name)) {
                throw new IllegalStateException("who is " + principal.name() + "?");
            }
            return principal;
        }

        @Override
        public void close() {
            CLOSED.add(name);
            if (name.equals(BROKEN)) {
                throw new IllegalStateException("the plug-in cannot be closed");
            }
        }
    }

    /** Lets everybody use addresses that start with their own name. */
    public static final class Rules implements AuthorizerProvider {
        @Override
        public String name() {
            return "own-names";
        }

        @Override
        public Authorizer open(Map<String, String> options) {
            return (Principal principal, String clientId, Action action, Address address) -> {
                if (address.name().endsWith(BROKEN)) {
                    throw new IllegalStateException("the rules are not there");
                }
                return address.name().startsWith(principal.name());
            };
        }
    }
}
