package dev.turnstone.port;

/**
 * The limits of the port, by their setting's names.
 *
 * @param messageBytesMax {@code message.bytesMax}: the largest body in one piece, bytes
 * @param headerBytesMax {@code message.headerBytesMax}: the most that a message's fields and properties may take
 *     together, bytes
 * @param largeBytesMax {@code message.largeBytesMax}: the largest body of all, bytes; larger ones than messageBytesMax
 *     go by {@link StoredBodies}
 * @param chunkBytes {@code message.chunkBytes}: the length of their chunks, bytes
 */
public record PortLimits(int messageBytesMax, int headerBytesMax, long largeBytesMax, int chunkBytes) {
    /** Bodies up to 1 MiB in one piece, up to 16 GiB in chunks of 512 KiB; fields and properties up to 32 KiB. */
    public static final PortLimits DEFAULTS = new PortLimits(1 << 20, 32 << 10, 16L << 30, 512 << 10);

    /** Limits of a way to the broker on which all bodies go in one piece. */
    public PortLimits(int messageBytesMax, int headerBytesMax) {
        this(messageBytesMax, headerBytesMax, messageBytesMax, DEFAULTS.chunkBytes);
    }
}
