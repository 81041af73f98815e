package dev.turnstone.server;

import dev.turnstone.server.config.Further;
import dev.turnstone.server.config.Spelling;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.ListenSetting;
import dev.turnstone.spi.TransportProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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

    /**
     * What listeners can be told, by name. What not all protocols have, or have with another meaning, says whose it is.
     */
    List<Further> further() {
        Map<ListenSetting, Set<String>> protocols = new LinkedHashMap<>();
        byProtocol.forEach((protocol, provider) -> provider.settings()
                .forEach(setting -> protocols
                        .computeIfAbsent(setting, first -> new TreeSet<>())
                        .add("`" + protocol + "`")));
        List<Further> further = new ArrayList<>();
        protocols.forEach((setting, whose) -> further.add(new Further(
                setting.name(),
                setting.standard(),
                (whose.size() == byProtocol.size() ? "" : String.join(", ", whose) + ": ") + setting.meaning())));
        return further;
    }

    /** What is wrong with the names of a listener's settings, by name; nothing if its protocol does not tell them. */
    Map<String, String> unknown(ListenAddress address) {
        TransportProvider provider = byProtocol.get(address.protocol());
        Set<String> known = new TreeSet<>();
        if (provider != null) {
            provider.settings().forEach(setting -> known.add(setting.name()));
        }
        Map<String, String> unknown = new TreeMap<>();
        for (String name :
                known.isEmpty() ? Set.<String>of() : address.settings().keySet()) {
            if (!known.contains(name)) {
                unknown.put(
                        name,
                        Spelling.nearest(name, known)
                                .map(nearest -> "unknown setting; did you mean '" + nearest + "'?")
                                .orElse("unknown setting; known are " + String.join(", ", known)));
            }
        }
        return unknown;
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
