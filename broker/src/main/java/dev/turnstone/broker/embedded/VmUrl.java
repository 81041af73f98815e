package dev.turnstone.broker.embedded;

import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a {@code vm} URL asks for: {@code vm://?data=./data&listen=stomp=127.0.0.1:61613&keepAlive=true}.
 *
 * @param data the data folder, absolute
 * @param listen what to listen on, in order
 * @param keepAlive true if the broker outlives its last connection
 * @param journal the journal provider
 * @param limits the engine's limits
 * @param limitNames the names of the limits that the URL gives
 * @param addresses the settings of queues and topics that it gives: {@code addresses.queue:orders.*.maxAttempts=5}
 */
record VmUrl(
        Path data,
        List<Listen> listen,
        boolean keepAlive,
        String journal,
        Limits limits,
        List<String> limitNames,
        AddressRules addresses) {
    /** A listener that the URL asks for; the port is negative for the protocol's default. */
    record Listen(String protocol, String host, int port) {
        /**
         * A broker of a URL has no users, so nobody else's machine may reach it.
         *
         * @throws BrokerException INVALID_CONFIGURATION if other machines could, or if the host is another name than
         *     localhost
         */
        void checkLoopback() {
            if (!LOOPBACK.matcher(host).matches()) {
                throw new BrokerException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "refusing listen=" + protocol + "=" + host + ":" + port + ": other machines could reach it and"
                                + " nobody has to log in; a URL listens on loopback only, such as 127.0.0.1, and a"
                                + " broker with users is made with dev.turnstone.server.Turnstone");
            }
        }
    }

    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[?::1]?");
    private static final String KNOWN = "data, listen, keepAlive, journal, addresses.PATTERN.SETTING and the limits ";
    private static final String ADDRESSES = "addresses.";

    static VmUrl parse(URI url) {
        Path data = Path.of("data");
        List<Listen> listen = new ArrayList<>();
        boolean keepAlive = false;
        String journal = BrokerSettings.JOURNAL;
        Limits limits = Limits.DEFAULTS;
        List<String> limitNames = new ArrayList<>();
        AddressRules addresses = AddressRules.DEFAULTS;
        String query = url.isOpaque() ? afterQuestionMark(url.getSchemeSpecificPart()) : url.getQuery();
        for (String parameter : (query == null ? "" : query).split("&")) {
            if (parameter.isEmpty()) {
                continue;
            }
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            String value = equals < 0 ? "" : parameter.substring(equals + 1);
            switch (name) {
                case "data" -> data = Path.of(value);
                case "listen" -> listen.add(listen(value));
                case "keepAlive" -> keepAlive = flag(name, value);
                case "journal" -> journal = value;
                default -> {
                    if (name.startsWith(ADDRESSES)) {
                        addresses = address(addresses, name.substring(ADDRESSES.length()), value);
                        continue;
                    }
                    limits = limit(limits, name, value);
                    limitNames.add(name);
                }
            }
        }
        return new VmUrl(
                real(data), List.copyOf(listen), keepAlive, journal, limits, List.copyOf(limitNames), addresses);
    }

    private static String afterQuestionMark(String text) {
        return text.substring(text.indexOf('?') + 1);
    }

    private static AddressRules address(AddressRules rules, String name, String value) {
        int dot = name.lastIndexOf('.');
        if (dot < 0) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION,
                    ADDRESSES + name + " is not " + ADDRESSES + "PATTERN.SETTING, such as " + ADDRESSES
                            + "queue:orders.maxAttempts");
        }
        return rules.with(name.substring(0, dot), AddressSetting.named(name.substring(dot + 1)), value);
    }

    private static Limits limit(Limits limits, String name, String value) {
        if (!Limits.knows(name)) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the URL has an unknown parameter '" + name + "'; known are " + KNOWN + Limits.settings());
        }
        return limits.with(name, value);
    }

    private static boolean flag(String name, String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new BrokerException(
                        ErrorCode.INVALID_CONFIGURATION, name + "='" + value + "' is neither true nor false");
        };
    }

    private static Listen listen(String value) {
        int equals = value.indexOf('=');
        if (equals < 0) {
            return new Listen(value, "127.0.0.1", -1);
        }
        String address = value.substring(equals + 1);
        int colon = address.lastIndexOf(':');
        if (equals == 0 || colon <= 0) {
            throw badListen(value, null);
        }
        try {
            int port = Integer.parseInt(address.substring(colon + 1));
            if (port < 0 || port > 65_535) {
                throw badListen(value, null);
            }
            return new Listen(value.substring(0, equals), address.substring(0, colon), port);
        } catch (NumberFormatException e) {
            throw badListen(value, e);
        }
    }

    private static BrokerException badListen(String value, Exception cause) {
        return new BrokerException(
                ErrorCode.INVALID_CONFIGURATION, "listen='" + value + "' is not PROTOCOL=HOST:PORT", cause);
    }

    /** One name for one folder, however it was written: the key of the registry. */
    static Path real(Path data) {
        Path absolute = data.toAbsolutePath().normalize();
        try {
            Files.createDirectories(absolute);
            return absolute.toRealPath();
        } catch (IOException e) {
            throw new BrokerException(
                    ErrorCode.DATA_UNUSABLE,
                    "the data folder " + absolute + " cannot be created: " + e.getMessage(),
                    e);
        }
    }
}
