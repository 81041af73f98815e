package dev.turnstone.port;

import org.jspecify.annotations.Nullable;

/**
 * A protocol's own durable state: one put (value given) or remove (value null), journaled in the same unit as the send or settle that
 * carries it and not interpreted by the engine.
 *
 * @param namespace whose keys these are, such as {@code mqtt.session}
 * @param key the key within the namespace
 * @param value the new value, at most {@link #VALUE_BYTES_MAX} bytes, not changed by the caller again; null removes the key
 */
public record StateChange(String namespace, String key, byte @Nullable [] value) {
    /** The longest value, in bytes. */
    public static final int VALUE_BYTES_MAX = 4096;

    /** Checks the limit. */
    public StateChange {
        if (value != null && value.length > VALUE_BYTES_MAX) {
            throw new IllegalArgumentException("protocol state of " + value.length + " bytes");
        }
    }
}
