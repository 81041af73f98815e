package dev.turnstone.transport.openwire.session;

import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.Message;
import org.apache.activemq.util.ByteSequence;
import org.jspecify.annotations.Nullable;

/**
 * How long a message's frame may become, at most. It is known before the frame is made: one that is made and not sent
 * would leave the peer without what it is to remember of it (the marshallers' cache). Any thread.
 */
final class FrameSize {
    /** What has no length of its own: numbers, flags, identifiers of the broker's making. */
    private static final int FIXED = 2048;

    private static final int BYTES_A_CHARACTER = 3;

    private FrameSize() {}

    static long atMost(Message message) {
        long characters = length(message.getCorrelationId())
                + length(message.getType())
                + length(message.getGroupID())
                + length(message.getUserID())
                + length(message.getMessageId().getTextView())
                + length(message.getDestination())
                // The dispatch names it once more.
                + length(message.getDestination())
                + length(message.getReplyTo());
        return FIXED
                + BYTES_A_CHARACTER * characters
                + length(message.getContent())
                + length(message.getMarshalledProperties());
    }

    private static long length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private static long length(@Nullable ActiveMQDestination destination) {
        return destination == null ? 0 : destination.getPhysicalName().length();
    }

    private static long length(@Nullable ByteSequence bytes) {
        return bytes == null ? 0 : bytes.getLength();
    }
}
