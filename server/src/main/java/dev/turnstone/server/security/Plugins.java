package dev.turnstone.server.security;

import dev.turnstone.broker.Closing;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.server.config.Spelling;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.AuthenticatorProvider;
import dev.turnstone.spi.Authorizer;
import dev.turnstone.spi.AuthorizerProvider;
import java.io.Closeable;
import java.io.IOException;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plug-ins that are in use: one stays as long as its settings do. Used under its owner's lock. */
final class Plugins {
    private static final Logger LOG = LoggerFactory.getLogger(Plugins.class);

    private @Nullable Open<Authenticator> authenticator;
    private @Nullable Open<Authorizer> authorizer;

    /** A plug-in and what it was opened with. */
    private static final class Open<T> {
        private final ProviderSettings settings;
        private final T plugin;

        private Open(ProviderSettings settings, T plugin) {
            this.settings = settings;
            this.plugin = plugin;
        }

        private ProviderSettings settings() {
            return settings;
        }

        private T plugin() {
            return plugin;
        }
    }

    /**
     * Takes those that the settings name, the ones in use if they are the same.
     *
     * @throws BrokerException INVALID_CONFIGURATION if there is none of that name, or it refuses its options; nothing
     *     has changed then
     */
    void choose(SecuritySettings wanted) {
        Open<Authenticator> first = open(wanted.authenticator(), authenticator, Plugins::authenticatorOf);
        Open<Authorizer> second;
        try {
            second = open(wanted.authorizer(), authorizer, Plugins::authorizerOf);
        } catch (RuntimeException | Error fault) {
            throw new Closing(fault)
                    .then(() -> closeUnless(first == authenticator, first))
                    .fault();
        }
        closeUnless(first == authenticator, authenticator);
        closeUnless(second == authorizer, authorizer);
        authenticator = first;
        authorizer = second;
    }

    @Nullable
    Authenticator authenticator() {
        return authenticator == null ? null : authenticator.plugin();
    }

    @Nullable
    Authorizer authorizer() {
        return authorizer == null ? null : authorizer.plugin();
    }

    void close() {
        Open<Authenticator> first = authenticator;
        Open<Authorizer> second = authorizer;
        authenticator = null;
        authorizer = null;
        new Closing()
                .then(() -> closeUnless(false, first))
                .then(() -> closeUnless(false, second))
                .end();
    }

    private static <T> @Nullable Open<T> open(
            @Nullable ProviderSettings wanted, @Nullable Open<T> before, Function<ProviderSettings, T> make) {
        if (wanted == null || before != null && before.settings().equals(wanted)) {
            return wanted == null ? null : before;
        }
        return new Open<>(wanted, make.apply(wanted));
    }

    private static Authenticator authenticatorOf(ProviderSettings wanted) {
        return named(AuthenticatorProvider.class, AuthenticatorProvider::name, wanted.name())
                .open(wanted.options());
    }

    private static Authorizer authorizerOf(ProviderSettings wanted) {
        return named(AuthorizerProvider.class, AuthorizerProvider::name, wanted.name())
                .open(wanted.options());
    }

    /**
     * The provider of that name.
     *
     * @throws BrokerException INVALID_CONFIGURATION if there is none
     */
    static <P> P named(Class<P> type, Function<P, String> nameOf, String wanted) {
        Set<String> known = new TreeSet<>();
        for (P provider : ServiceLoader.load(type, Plugins.class.getClassLoader())) {
            if (nameOf.apply(provider).equals(wanted)) {
                return provider;
            }
            known.add(nameOf.apply(provider));
        }
        String hint = Spelling.nearest(wanted, known)
                .map(nearest -> "did you mean '" + nearest + "'?")
                .orElse(known.isEmpty() ? "there is none on the class path" : "there is: " + String.join(", ", known));
        throw new BrokerException(
                ErrorCode.INVALID_CONFIGURATION,
                "no " + type.getSimpleName() + " has the name '" + wanted + "'; " + hint);
    }

    private static void closeUnless(boolean stays, @Nullable Open<?> plugin) {
        if (!stays && plugin != null && plugin.plugin() instanceof Closeable closeable) {
            try {
                closeable.close();
            } catch (IOException e) {
                LOG.warn("Closing {} failed; it is not used any more all the same", closeable, e);
            }
        }
    }
}
