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
 * @param wholeBytesMax {@code wholeBytesMax}: bodies that are stored apart, and are not read as streams, are fetched
 *     when their message is handed over if they have at most so many bytes; 0 fetches none, 16 MiB if not given
 * @param clientId the client identifier of connections whose factory has none
 */
record ConnectionSettings(
        URI broker,
        int prefetch,
        boolean durableAcknowledgements,
        AllowedClasses objects,
        int wholeBytesMax,
        @Nullable String clientId) {
    private static final String PREFETCH = "prefetch";
    private static final int PREFETCH_DEFAULT = 1_000;
    private static final int PREFETCH_MAX = 1_000_000;
    private static final String WHOLE_BYTES_MAX = "wholeBytesMax";
    private static final int WHOLE_BYTES_DEFAULT = 16 << 20;
    /** Java has no longer arrays. */
    private static final int WHOLE_BYTES_LIMIT = Integer.MAX_VALUE - 8;

    private static final String ACK_SYNC = "ack.sync";

    private static final String CLIENT_ID = "clientID";

    private static final Set<String> OWN =
            Set.of(PREFETCH, ACK_SYNC, AllowedClasses.SETTING, WHOLE_BYTES_MAX, CLIENT_ID);

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
        int prefetch = number(url, own, PREFETCH, PREFETCH_DEFAULT, 1, PREFETCH_MAX);
        int whole = number(url, own, WHOLE_BYTES_MAX, WHOLE_BYTES_DEFAULT, 0, WHOLE_BYTES_LIMIT);
        String clientId = own.get(CLIENT_ID);
        if (clientId != null && clientId.isEmpty()) {
            throw refused(url, CLIENT_ID + " is empty", null);
        }
        return new ConnectionSettings(broker, prefetch, ackSync(url, own), objects(url, own), whole, clientId);
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

    private static int number(String url, Map<String, String> own, String name, int usual, int least, int most)
            throws JMSException {
        String text = own.getOrDefault(name, Integer.toString(usual));
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refused(url, name + " is not a number: '" + text + "'", e);
        }
        throw refused(url, name + " must be " + least + " to " + most + ", not " + text, null);
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
