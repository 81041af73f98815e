package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.Message;
import dev.turnstone.port.StateChange;
import dev.turnstone.spi.Principal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A will, as it is kept from CONNECT until it is sent or not wanted any more. Encoded: a version byte, delay, the
 * principal as name, source and roles, then the message; cut into parts that protocol state can hold.
 *
 * @param message what is sent; its expiry counts from then on, so it is an interval here
 * @param delayS how long it waits behind the end of the connection, seconds
 * @param principal on whose behalf, and with whose permissions, it is sent
 */
record WillRecord(Message message, long delayS, Principal principal) {
    private static final byte FORM = 1;
    /** What a value of protocol state holds. */
    private static final int PART_BYTES = 4 << 10;

    /** The changes that keep it. */
    List<StateChange> put(SessionKeys keys) {
        byte[] bytes = encode();
        List<StateChange> parts = new ArrayList<>();
        for (int at = 0; at < bytes.length; at += PART_BYTES) {
            byte[] part = new byte[Math.min(PART_BYTES, bytes.length - at)];
            System.arraycopy(bytes, at, part, 0, part.length);
            parts.add(keys.will(parts.size(), part));
        }
        return parts;
    }

    /** The will's message, sent now. */
    Message due(long nowMs) {
        long expiryMs = message.expiryMs() == 0 ? 0 : message.expiryMs() - message.timestampMs() + nowMs;
        return message.toBuilder().timestampMs(nowMs).expiryMs(expiryMs).build();
    }

    private byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORM);
            out.writeLong(delayS);
            out.writeUTF(principal.name());
            out.writeUTF(principal.source());
            out.writeInt(principal.roles().size());
            for (String role : principal.roles()) {
                out.writeUTF(role);
            }
            ByteBuffer encoded = ByteBuffer.allocate(message.encodedBytes());
            message.writeTo(encoded);
            out.write(encoded.array());
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    /** The will whose parts, in their order, are these. */
    static WillRecord decode(List<byte[]> parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        parts.forEach(joined::writeBytes);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(joined.toByteArray()))) {
            byte form = in.readByte();
            if (form != FORM) {
                throw new IllegalStateException("a will of the unknown form " + form);
            }
            long delayS = in.readLong();
            String name = in.readUTF();
            String source = in.readUTF();
            Set<String> roles = new HashSet<>();
            for (int left = in.readInt(); left > 0; left--) {
                roles.add(in.readUTF());
            }
            byte[] message = in.readAllBytes();
            return new WillRecord(
                    Message.decode(message, 0, message.length),
                    delayS,
                    new Principal(name, roles, Principal.NEVER, source));
        } catch (IOException e) {
            throw new UncheckedIOException("a will that ends too early", e);
        }
    }
}
