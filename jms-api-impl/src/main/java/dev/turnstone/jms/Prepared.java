package dev.turnstone.jms;

import dev.turnstone.port.BodyKind;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message that is ready to be sent. Immutable; its body is read once.
 *
 * @param message its canonical form
 * @param body its body, if that is too large for one piece and must be stored before; else null
 */
record Prepared(Message message, @Nullable InputStream body) {
    /** Of what the builder has been given; a body that is too large for one piece leaves it. */
    static Prepared of(MessageBuilder builder, ClientMessage message, LargeBodies bodies) throws JMSException {
        InputStream large = message.largeBody();
        ByteBuffer piece = builder.body();
        BodyKind kind = message.kind();
        if (large != null) {
            long length = message.largeBodyLength();
            bodies.check(length);
            if (length <= bodies.pieceMax()) {
                return new Prepared(builder.body(kind, all(large)).build(), null);
            }
            return new Prepared(builder.build(), large);
        }
        if (piece.remaining() > bodies.pieceMax()) {
            bodies.check(piece.remaining());
            return new Prepared(builder.storedBody(kind).build(), new BodyInput(piece));
        }
        return new Prepared(builder.build(), null);
    }

    private static ByteBuffer all(InputStream body) throws JMSException {
        try (InputStream source = body) {
            return ByteBuffer.wrap(source.readAllBytes());
        } catch (IOException e) {
            throw Errors.unexpected(e);
        }
    }
}
