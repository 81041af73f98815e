package dev.turnstone.transport.stomp.codec;

/**
 * How large the parts of a frame may be (STOMP 1.2 "Size Limits"). All in bytes as they are on the wire, but
 * {@code headersMax}, a count. A frame beyond one of them is answered with ERROR.
 *
 * @param commandBytesMax the command line
 * @param headerLineBytesMax one header line, name, colon and value
 * @param headersMax header lines in a frame
 * @param headBytesMax the command and all header lines of a frame together
 * @param bodyBytesMax the body
 * @param frameBytesMax head and body together
 * @param connectBytesMax the head of the CONNECT frame: all that a stranger can make the broker hold
 */
public record StompLimits(
        int commandBytesMax,
        int headerLineBytesMax,
        int headersMax,
        int headBytesMax,
        int bodyBytesMax,
        int frameBytesMax,
        int connectBytesMax) {
    private static final int KIB = 1024;

    /** Limits for a broker whose messages have at most 1 MiB. */
    public static final StompLimits DEFAULT =
            new StompLimits(32, 16 * KIB, 256, 64 * KIB, 1024 * KIB, 1088 * KIB, 16 * KIB);

    /** Checks that each limit is positive. */
    public StompLimits {
        positive("commandBytesMax", commandBytesMax);
        positive("headerLineBytesMax", headerLineBytesMax);
        positive("headersMax", headersMax);
        positive("headBytesMax", headBytesMax);
        positive("bodyBytesMax", bodyBytesMax);
        positive("frameBytesMax", frameBytesMax);
        positive("connectBytesMax", connectBytesMax);
    }

    private static void positive(String name, int value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }
}
