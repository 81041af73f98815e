package dev.turnstone.server;

import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.TransportProvider;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The protocols of this build, by name. Immutable. */
final class Transports {
    private static final String LOOPBACK = "127.0.0.1";

    private final Map<String, TransportProvider> byProtocol = new TreeMap<>();

    Transports(Iterable<TransportProvider> providers) {
        providers.forEach(provider -> byProtocol.put(provider.protocol(), provider));
    }

    static Transports onClassPath() {
        return new Transports(ServiceLoader.load(TransportProvider.class));
    }

    TransportProvider serving(String protocol) {
        TransportProvider provider = byProtocol.get(protocol);
        if (provider == null) {
            throw new StartException("nothing here serves the protocol '" + protocol + "'; there is: "
                    + String.join(", ", byProtocol.keySet()));
        }
        return provider;
    }

    /** Where to listen: what the settings name, else every protocol's default port on loopback. */
    List<ListenAddress> addresses(Settings settings) {
        if (settings.listen().isEmpty()) {
            return byProtocol.values().stream()
                    .map(provider -> new ListenAddress(provider.protocol(), LOOPBACK, provider.defaultPort()))
                    .toList();
        }
        return settings.listen();
    }

    /** What is wrong with a listener, or null: who serves it, who could reach it, its own settings and files. */
    @Nullable
    String mistake(ListenAddress address, Settings settings) {
        return SettingsChecks.mistakeOf(() -> {
            TransportProvider provider = serving(address.protocol());
            if (!settings.insecure() && !settings.security().hasUsers() && !address.isLoopback()) {
                throw new StartException("refusing to listen on " + address
                        + ": other machines could reach it and nobody has to log in; 'security.users' names a users"
                        + " file, 'insecure: true' allows it without");
            }
            provider.check(new ListenRequest(address.host(), address.port(), address.settings()));
        });
    }
}
