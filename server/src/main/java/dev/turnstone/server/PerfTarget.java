package dev.turnstone.server;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.server.load.JmsLoad;
import dev.turnstone.server.load.LoadProtocol;
import dev.turnstone.server.load.LoadTarget;
import dev.turnstone.server.load.MqttLoad;
import dev.turnstone.server.load.OpenWireLoad;
import dev.turnstone.server.load.StompLoad;
import dev.turnstone.spi.BrokerConnector;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Which protocol a URL stands for, and its clients. Stateless. */
final class PerfTarget {
    private static final int STOMP_PORT = 61613;
    private static final int MQTT_PORT = 1883;
    private static final int MQTTS_PORT = 8883;
    private static final int OPENWIRE_PORT = 61616;
    private static final String JMS = "jms";
    private static final String KNOWN =
            "stomp, stomp+ssl, mqtt, mqtts, openwire, openwire+ssl, or one that JMS connects to, such as vm";

    private PerfTarget() {}

    /** How a scheme of a protocol's own is spoken. */
    private record Scheme(String protocol, boolean tls, int port) {}

    private static final Map<String, Scheme> SCHEMES = Map.of(
            "stomp", new Scheme("stomp", false, STOMP_PORT),
            "stomp+ssl", new Scheme("stomp", true, STOMP_PORT),
            "mqtt", new Scheme("mqtt", false, MQTT_PORT),
            "mqtts", new Scheme("mqtt", true, MQTTS_PORT),
            "openwire", new Scheme("openwire", false, OPENWIRE_PORT),
            "openwire+ssl", new Scheme("openwire", true, OPENWIRE_PORT));

    /** The protocol of a URL. */
    static String protocol(String url) {
        Scheme scheme = SCHEMES.get(scheme(uri(url)));
        return scheme == null ? JMS : scheme.protocol();
    }

    /**
     * The clients for a URL.
     *
     * @throws StartException if it is none, or its protocol is not spoken here
     */
    static LoadProtocol load(String url, @Nullable String user, @Nullable String password) {
        URI uri = uri(url);
        Scheme scheme = SCHEMES.get(scheme(uri));
        if (scheme == null) {
            checkJms(url, scheme(uri));
            TurnstoneConnectionFactory factory = new TurnstoneConnectionFactory(url);
            factory.setUserName(user);
            factory.setPassword(password);
            return new JmsLoad(factory);
        }
        LoadTarget target = target(url, uri, scheme, user, password);
        return switch (scheme.protocol()) {
            case "stomp" -> new StompLoad(target);
            case "mqtt" -> new MqttLoad(target);
            default -> new OpenWireLoad(target);
        };
    }

    private static void checkJms(String url, String scheme) {
        for (BrokerConnector connector : ServiceLoader.load(BrokerConnector.class)) {
            if (connector.schemes().contains(scheme)) {
                return;
            }
        }
        throw new StartException("--url " + url + ": the scheme '" + scheme + "' is unknown; there are: " + KNOWN);
    }

    /**
     * Where a URL's broker speaks STOMP.
     *
     * @throws StartException if it is none, or another protocol's
     */
    static LoadTarget stomp(String url, @Nullable String user, @Nullable String password) {
        URI uri = uri(url);
        Scheme scheme = SCHEMES.get(scheme(uri));
        if (scheme == null || !scheme.protocol().equals("stomp")) {
            throw new StartException("--url " + url + ": stomp://HOST:PORT, or stomp+ssl with TLS");
        }
        return target(url, uri, scheme, user, password);
    }

    private static LoadTarget target(
            String url, URI uri, Scheme scheme, @Nullable String user, @Nullable String password) {
        String host = uri.getHost();
        if (host == null
                || uri.getUserInfo() != null
                || uri.getQuery() != null
                || !uri.getPath().isEmpty()) {
            throw new StartException("--url " + url + ": " + uri.getScheme() + "://HOST:PORT and nothing more");
        }
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        int port = uri.getPort() < 0 ? scheme.port() : uri.getPort();
        return new LoadTarget(bare, port, scheme.tls(), user, password);
    }

    private static String scheme(URI uri) {
        return uri.getScheme().toLowerCase(Locale.ROOT);
    }

    private static URI uri(String url) {
        try {
            // The query of vm:// may hold what a URI must not.
            URI uri = new URI(url.replaceFirst("\\?.*", "").replaceFirst("://$", ":///"));
            if (uri.getScheme() == null) {
                throw new StartException("--url " + url + ": it has no scheme: " + KNOWN);
            }
            return uri;
        } catch (URISyntaxException e) {
            throw new StartException("--url " + url + ": " + e.getReason(), e);
        }
    }
}
