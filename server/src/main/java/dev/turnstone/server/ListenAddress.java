package dev.turnstone.server;

import dev.turnstone.server.config.Extensible;
import dev.turnstone.server.config.Further;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to listen for which protocol. Written {@code stomp=127.0.0.1:61613}, an IPv6 address in brackets.
 *
 * @param protocol the protocol's name in lower case
 * @param host a name or an address, without brackets
 * @param port 0 takes a free one
 * @param settings further settings of the listener, by name
 */
record ListenAddress(String protocol, String host, int port, Map<String, String> settings)
        implements Extensible<ListenAddress> {
    private static final Pattern FORM =
            Pattern.compile("([a-z][a-z0-9-]*)=(?:\\[([^\\]]+)\\]|([^:\\[\\]]+)):(\\d{1,5})");
    private static final int PORT_MAX = 65_535;

    ListenAddress {
        settings = Map.copyOf(settings);
    }

    /** A listener with the protocol's own defaults. */
    ListenAddress(String protocol, String host, int port) {
        this(protocol, host, port, Map.of());
    }

    /** The same place with these settings. */
    @Override
    public ListenAddress with(Map<String, String> others) {
        return new ListenAddress(protocol, host, port, others);
    }

    /** What may be written beside the place: all that any protocol of this build knows. */
    static List<Further> further() {
        return Transports.onClassPath().further();
    }

    /** Every address that binding it may take; none if the host has none. */
    private List<InetAddress> addresses() {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException e) {
            return List.of(); // Another check says so.
        }
    }

    /** Whether both cannot be bound: one port, and an address of one is the other's, or stands for all. */
    boolean clashesWith(ListenAddress other) {
        if (port == 0 || port != other.port) {
            return false;
        }
        List<InetAddress> mine = addresses();
        List<InetAddress> its = other.addresses();
        return host.equals(other.host)
                || mine.stream().anyMatch(InetAddress::isAnyLocalAddress)
                || its.stream().anyMatch(InetAddress::isAnyLocalAddress)
                || mine.stream().anyMatch(its::contains);
    }

    /**
     * Reads the written form.
     *
     * @throws IllegalArgumentException if it is not of that form
     */
    static ListenAddress parse(String written) {
        Matcher form = FORM.matcher(written);
        if (!form.matches()) {
            throw malformed(written);
        }
        int port = Integer.parseInt(form.group(4));
        if (port > PORT_MAX) {
            throw malformed(written);
        }
        String host = form.group(2) == null ? form.group(3) : form.group(2);
        return new ListenAddress(form.group(1), host, port);
    }

    private static IllegalArgumentException malformed(String written) {
        return new IllegalArgumentException(
                "a listener is written PROTOCOL=HOST:PORT, as in stomp=127.0.0.1:61613; this is not: '" + written
                        + "'");
    }

    /**
     * Whether only this machine can reach it.
     *
     * @throws StartException if the host has no address
     */
    boolean isLoopback() {
        try {
            // A name may have several addresses, and who binds it may take any of them.
            return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            throw new StartException("cannot listen on " + this + ": the host " + host + " has no address", e);
        }
    }

    @Override
    public String toString() {
        return protocol + "=" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
