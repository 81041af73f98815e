package dev.turnstone.server;

import dev.turnstone.spi.TransportProvider;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

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

    /**
     * Where to listen: what the settings name, else every protocol's default port on loopback.
     *
     * @throws StartException if nothing serves a protocol, or if others could reach a listener and the settings do not
     *     allow it
     */
    List<ListenAddress> addresses(Settings settings) {
        if (settings.listeners().isEmpty()) {
            return byProtocol.values().stream()
                    .map(provider -> new ListenAddress(provider.protocol(), LOOPBACK, provider.defaultPort()))
                    .toList();
        }
        for (ListenAddress address : settings.listeners()) {
            serving(address.protocol());
            if (!settings.insecure() && !settings.security().hasUsers() && !address.isLoopback()) {
                throw new StartException("refusing to listen on " + address
                        + ": other machines could reach it and nobody has to log in; 'security.users' in the file given"
                        + " with --config names a users file, 'insecure: true' allows it without");
            }
        }
        return settings.listeners();
    }
}
