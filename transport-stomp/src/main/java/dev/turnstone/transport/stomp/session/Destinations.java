package dev.turnstone.transport.stomp.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.transport.stomp.codec.Headers;
import java.nio.charset.StandardCharsets;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Addresses as STOMP writes them: {@code /queue/a.b} and {@code /topic/a.b}. Remembers the last one each way: most
 * clients use one.
 */
final class Destinations {
    private static final String QUEUE = "/queue/";
    private static final String TOPIC = "/topic/";

    private byte[] lastRead = {};
    private @Nullable Address lastReadAddress;
    private @Nullable Address lastShown;
    private String lastShownText = "";

    /** The address in a header entry. */
    Address read(Headers headers, int index) {
        Address last = lastReadAddress;
        if (last != null && headers.valueEquals(index, lastRead)) {
            return last;
        }
        String text = headers.value(index);
        Address read = parse(text);
        lastRead = text.getBytes(StandardCharsets.UTF_8);
        lastReadAddress = read;
        return read;
    }

    /**
     * The address with this text.
     *
     * @throws BrokerException INVALID_ADDRESS if it is none
     */
    static Address parse(String text) {
        return read(text, Address::parse);
    }

    /**
     * The address, or pattern of addresses, with this text.
     *
     * @throws BrokerException INVALID_ADDRESS if it is none
     */
    static Address pattern(String text) {
        return read(text, Address::pattern);
    }

    private static Address read(String text, BiFunction<AddressKind, String, Address> named) {
        if (text.startsWith(QUEUE)) {
            return named.apply(AddressKind.QUEUE, text.substring(QUEUE.length()));
        }
        if (text.startsWith(TOPIC)) {
            return named.apply(AddressKind.TOPIC, text.substring(TOPIC.length()));
        }
        throw new BrokerException(
                ErrorCode.INVALID_ADDRESS, "a destination begins with /queue/ or /topic/, unlike '" + text + "'");
    }

    String show(Address address) {
        if (!address.equals(lastShown)) {
            lastShownText = text(address);
            lastShown = address;
        }
        return lastShownText;
    }

    static String text(Address address) {
        return (address.kind() == AddressKind.QUEUE ? QUEUE : TOPIC) + address.name();
    }
}
