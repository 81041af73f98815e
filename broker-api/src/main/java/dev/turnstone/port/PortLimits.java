package dev.turnstone.port;

/**
 * The limits of the port, by their setting's names.
 *
 * @param messageBytesMax {@code message.bytesMax}: the largest body, bytes
 * @param headerBytesMax {@code message.headerBytesMax}: the most that a message's fields and properties may take
 *     together, bytes
 */
public record PortLimits(int messageBytesMax, int headerBytesMax) {
    /** Bodies up to 1 MiB, fields and properties up to 32 KiB. */
    public static final PortLimits DEFAULTS = new PortLimits(1 << 20, 32 << 10);
}
