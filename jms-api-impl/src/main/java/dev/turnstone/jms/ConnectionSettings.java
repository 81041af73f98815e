package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import jakarta.jms.JMSException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a connection factory's URL says: where to connect, and how this side behaves.
 *
 * @param broker the URL for the connector, without what is meant for this side
 * @param prefetch {@code prefetch}: how many messages a consumer may have been sent and not handed over, 1 to 1 000
 *     000; 1 000 if not given
 * @param durableAcknowledgements {@code ack.sync}: whether AUTO_ACKNOWLEDGE waits for the disk before the next message;
 *     true if not given
 * @param objects {@code object.allow}: the classes that object messages may bring, as {@link AllowedClasses#matching}
 *     reads them; none if not given
 */
record ConnectionSettings(URI broker, int prefetch, boolean durableAcknowledgements, AllowedClasses objects) {
    private static final String PREFETCH = "prefetch";
    private static final int PREFETCH_DEFAULT = 1_000;
    private static final int PREFETCH_MAX = 1_000_000;
    private static final String ACK_SYNC = "ack.sync";

    private static final Set<String> OWN = Set.of(PREFETCH, ACK_SYNC, AllowedClasses.SETTING);

    static ConnectionSettings parse(String url) throws JMSException {
        int question = url.indexOf('?');
        Map<String, String> own = new LinkedHashMap<>();
        List<String> others = new ArrayList<>();
        if (question >= 0) {
            for (String parameter : url.substring(question + 1).split("&")) {
                String name = parameter.replaceFirst("=.*", "");
                boolean ours = OWN.contains(name);
                if (!ours) {
                    others.add(parameter);
                } else if (own.put(name, parameter.substring(Math.min(name.length() + 1, parameter.length())))
                        != null) {
                    throw refused(url, name + " is given twice", null);
                }
            }
        }
        String base = question < 0 ? url : url.substring(0, question);
        URI broker = uri(base, String.join("&", others));
        return new ConnectionSettings(broker, prefetch(url, own), ackSync(url, own), objects(url, own));
    }

    private static URI uri(String base, String query) throws JMSException {
        // A URI with an authority needs one, or a path: vm:// is short for vm:///.
        String complete = base.endsWith("://") ? base + "/" : base;
        try {
            URI uri = new URI(query.isEmpty() ? complete : complete + "?" + query);
            if (uri.getScheme() == null) {
                throw refused(base, "it has no scheme, such as vm", null);
            }
            return uri;
        } catch (URISyntaxException e) {
            throw refused(base, e.getMessage(), e);
        }
    }

    private static int prefetch(String url, Map<String, String> own) throws JMSException {
        String text = own.getOrDefault(PREFETCH, Integer.toString(PREFETCH_DEFAULT));
        try {
            int prefetch = Integer.parseInt(text);
            if (prefetch >= 1 && prefetch <= PREFETCH_MAX) {
                return prefetch;
            }
        } catch (NumberFormatException e) {
            throw refused(url, PREFETCH + " is not a number: '" + text + "'", e);
        }
        throw refused(url, PREFETCH + " must be 1 to " + PREFETCH_MAX + ", not " + text, null);
    }

    private static boolean ackSync(String url, Map<String, String> own) throws JMSException {
        String text = own.getOrDefault(ACK_SYNC, "true");
        if (text.equals("true") || text.equals("false")) {
            return Boolean.parseBoolean(text);
        }
        throw refused(url, ACK_SYNC + " must be true or false, not '" + text + "'", null);
    }

    private static AllowedClasses objects(String url, Map<String, String> own) throws JMSException {
        try {
            return AllowedClasses.matching(own.getOrDefault(AllowedClasses.SETTING, ""));
        } catch (IllegalArgumentException e) {
            throw refused(url, AllowedClasses.SETTING + ": " + e.getMessage(), e);
        }
    }

    private static JMSException refused(String url, String why, @Nullable Exception cause) {
        String text = "the broker URL '" + url + "' cannot be used: " + why;
        return Errors.of(
                cause == null
                        ? new BrokerException(ErrorCode.INVALID_CONFIGURATION, text)
                        : new BrokerException(ErrorCode.INVALID_CONFIGURATION, text, cause));
    }
}
