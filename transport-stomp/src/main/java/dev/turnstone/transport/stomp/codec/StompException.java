package dev.turnstone.transport.stomp.codec;

import org.jspecify.annotations.Nullable;

/**
 * What the peer did wrong, in words for its ERROR frame. The connection ends with it. Carries no stack trace: a peer
 * must not be able to make the broker spend time on one.
 */
public final class StompException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final @Nullable String receipt;
    private final boolean tooLarge;

    /**
     * A fault in a frame.
     *
     * @param message one line for the {@code message} header
     * @param receipt the {@code receipt} header of the frame at fault, if it was read
     */
    public StompException(String message, @Nullable String receipt) {
        this(message, receipt, false);
    }

    private StompException(String message, @Nullable String receipt, boolean tooLarge) {
        super(message, null, false, false);
        this.receipt = receipt;
        this.tooLarge = tooLarge;
    }

    /** A frame, or a part of it, that is larger than it may be. */
    static StompException tooLarge(String message, @Nullable String receipt) {
        return new StompException(message, receipt, true);
    }

    /** True if what is wrong is a size. */
    public boolean isTooLarge() {
        return tooLarge;
    }

    /** The {@code receipt} header of the frame at fault; null if it has none or broke off before it. */
    public @Nullable String receipt() {
        return receipt;
    }
}
