package dev.turnstone.jms;

import dev.turnstone.port.BodyKind;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.MessageBuilder;
import org.jspecify.annotations.Nullable;

/** A message of headers and properties alone (the API's plain {@code Message}). */
final class ClientPlainMessage extends ClientMessage {
    ClientPlainMessage() {}

    ClientPlainMessage(Delivery delivery, @Nullable SessionCore session) {
        super(delivery, session);
    }

    @Override
    BodyKind kind() {
        return BodyKind.NONE;
    }

    @Override
    void encodeBody(MessageBuilder target) {
        target.noBody(BodyKind.NONE);
    }

    @Override
    void dropBody() {
        // There is none.
    }

    @Override
    @Nullable
    Object bodyFor(Class<?> type) {
        return null;
    }
}
