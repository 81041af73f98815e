package dev.turnstone.broker.session;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.PortLimits;

/** Refuses messages that are larger than the limits. Immutable. */
final class SizeCheck {
    private final int bodyMax;
    private final int headerMax;
    private final long largeMax;

    SizeCheck(PortLimits limits) {
        this.bodyMax = limits.messageBytesMax();
        this.headerMax = limits.headerBytesMax();
        this.largeMax = limits.largeBytesMax();
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
