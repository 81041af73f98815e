package dev.turnstone.transport.stomp.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.BodyKind;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.transport.stomp.codec.Frame;
import dev.turnstone.transport.stomp.codec.Header;
import dev.turnstone.transport.stomp.codec.Headers;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Turns SEND frames into messages; {@code docs/stomp.md} has the table. One for each connection. */
final class MessageReader {
    private static final int PRIORITY_MAX = 9;

    private final Destinations destinations;
    private final String idPrefix =
            "ID:stomp-" + Long.toHexString(ThreadLocalRandom.current().nextLong() >>> 8) + "-";
    private long messages;

    MessageReader(Destinations destinations) {
        this.destinations = destinations;
    }

    Message read(Frame frame) {
        Headers headers = frame.headers();
        int destinationAt = headers.indexOf(Header.DESTINATION);
        if (destinationAt < 0) {
            throw frame.fault("SEND needs the header 'destination'");
        }
        Address address = destinations.read(headers, destinationAt);
        MessageBuilder message = MessageBuilder.to(address)
                .id(idPrefix + ++messages)
                .timestampMs(System.currentTimeMillis())
                .body(bodyKind(frame), frame.body());
        for (int index = 0; index < headers.count(); index++) {
            // Of repeated entries the first counts (STOMP 1.2 "Repeated Header Entries").
            if (headers.indexOf(headers.name(index)) == index) {
                read(frame, index, message);
            }
        }
        return message.build();
    }

    static @Nullable DedupId dedupId(Frame frame) {
        String id = frame.header(Header.DEDUP_ID);
        if (id == null) {
            return null;
        }
        if (id.isEmpty()) {
            throw frame.fault("the header 'dedup-id' must not be empty");
        }
        return DedupId.of(id);
    }

    /** True if the message need not be on the disk to be confirmed. */
    static boolean relaxed(Frame frame) {
        String asked = frame.header(Header.RELAXED);
        return asked != null && flag(frame, Header.RELAXED, asked);
    }

    private static void read(Frame frame, int index, MessageBuilder message) {
        Headers headers = frame.headers();
        String name = headers.name(index);
        switch (name) {
            case Header.PERSISTENT -> message.persistent(flag(frame, name, headers.value(index)));
            case Header.MANDATORY -> message.mandatory(flag(frame, name, headers.value(index)));
            case Header.RETAIN -> message.retain(flag(frame, name, headers.value(index)));
            case Header.PRIORITY -> message.priority(priority(frame, headers.number(index)));
            case Header.EXPIRES -> message.expiryMs(number(frame, name, headers.number(index)));
            case Header.CORRELATION_ID -> message.correlationId(headers.value(index));
            case Header.REPLY_TO -> message.replyTo(Destinations.parse(headers.value(index)));
            case Header.TYPE -> message.type(headers.value(index));
            case Header.GROUP_ID, Header.GROUP_SEQUENCE ->
                message.grouped(frame.header(Header.GROUP_ID), groupSequence(frame));
            default -> {
                if (!ReservedHeaders.contains(name)) {
                    message.property(name, headers.value(index));
                }
            }
        }
    }

    private static boolean flag(Frame frame, String name, String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw frame.fault("the header '" + name + "' must be true or false");
        };
    }

    private static long number(Frame frame, String name, long number) {
        if (number < 0) {
            throw frame.fault("the header '" + name + "' must be a whole number");
        }
        return number;
    }

    private static int priority(Frame frame, long number) {
        if (number < 0 || number > PRIORITY_MAX) {
            throw frame.fault("the header 'priority' must be a number from 0 to 9");
        }
        return (int) number;
    }

    private static @Nullable Integer groupSequence(Frame frame) {
        String text = frame.header(Header.GROUP_SEQUENCE);
        return text == null ? null : Numbers.whole(frame, Header.GROUP_SEQUENCE, text);
    }

    /** The content type decides; without one, a content-length means bytes, as it did in STOMP 1.0. */
    private static BodyKind bodyKind(Frame frame) {
        String type = frame.header(Header.CONTENT_TYPE);
        boolean text = type == null ? frame.headers().indexOf(Header.CONTENT_LENGTH) < 0 : ContentType.isText(type);
        return text && ContentType.isUtf8(frame.body()) ? BodyKind.TEXT : BodyKind.BYTES;
    }
}
