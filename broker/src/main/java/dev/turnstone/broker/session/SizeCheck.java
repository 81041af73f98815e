package dev.turnstone.broker.session;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.PortLimits;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Refuses messages and names that are larger than the limits. Immutable. */
final class SizeCheck {
    private final int bodyMax;
    private final int headerMax;
    private final long largeMax;

    SizeCheck(PortLimits limits) {
        this.bodyMax = limits.messageBytesMax();
        this.headerMax = limits.headerBytesMax();
        this.largeMax = limits.largeBytesMax();
    }

    /**
     * Refuses a name that is longer than that of an address may be: records have it beside messages.
     *
     * @throws BrokerException LIMIT_EXCEEDED
     */
    static void checkName(String what, @Nullable String name) {
        if (name != null
                && name.length() > Address.NAME_BYTES_MAX / 3
                && name.getBytes(StandardCharsets.UTF_8).length > Address.NAME_BYTES_MAX) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED, what + " has more than " + Address.NAME_BYTES_MAX + " bytes");
        }
    }

    void check(Message message) {
        int body = message.bodyBytes();
        if (body > bodyMax) {
            throw new BrokerException(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "a body of " + body + " bytes is larger than " + Limit.MESSAGE_BYTES_MAX.setting() + "=" + bodyMax
                            + " and " + Limit.MESSAGE_LARGE_BYTES_MAX.setting() + "=" + largeMax);
        }
        int header = message.encodedBytes() - body;
        if (header > headerMax) {
            throw new BrokerException(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "fields and properties of " + header + " bytes are more than "
                            + Limit.MESSAGE_HEADER_BYTES_MAX.setting() + "=" + headerMax);
        }
    }
}
