package dev.turnstone.broker.settings;

import org.jspecify.annotations.Nullable;

/**
 * How much a queue holds, and what leaves when more comes. Immutable.
 *
 * @param maxMessages {@link AddressSetting#MAX_MESSAGES}; 0 for any number
 * @param maxBytes {@link AddressSetting#MAX_BYTES}; 0 for any number
 * @param whenFull {@link AddressSetting#WHEN_FULL}
 * @param ringSize {@link AddressSetting#RING_SIZE}; 0 if it is no ring
 * @param lastValueKey {@link AddressSetting#LAST_VALUE_KEY}; null if it keeps all values
 * @param memoryBytes {@link AddressSetting#MEMORY_BYTES}; 0 for what the broker's limit says
 */
public record CapacitySettings(
        long maxMessages,
        long maxBytes,
        WhenFull whenFull,
        long ringSize,
        @Nullable String lastValueKey,
        long memoryBytes) {
    /** True if so much would be more than there may be. */
    public boolean exceeded(long messages, long bytes) {
        return (maxMessages > 0 && messages > maxMessages) || (maxBytes > 0 && bytes > maxBytes);
    }

    /** True if a sender may be refused or has to wait. */
    public boolean limitsSenders() {
        return (maxMessages > 0 || maxBytes > 0) && (whenFull == WhenFull.REJECT || whenFull == WhenFull.BLOCK);
    }

    /** True if the oldest messages make room for new ones. */
    public boolean dropsOldest() {
        return ringSize > 0 || (whenFull == WhenFull.DROP_OLDEST && (maxMessages > 0 || maxBytes > 0));
    }
}
