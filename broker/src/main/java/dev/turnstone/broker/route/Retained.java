package dev.turnstone.broker.route;

import dev.turnstone.port.Message;

/**
 * What one topic retains. Immutable.
 *
 * @param position the place at which it was retained, among the positions of all messages
 * @param record its record, or 0 if it does not survive the broker
 * @param lsn where all is that was recorded together with it, if anything was
 */
record Retained(Message message, long position, long record, long lsn) {
    boolean expired(long nowMs) {
        long expiry = message.expiryMs();
        return expiry != 0 && expiry <= nowMs;
    }
}
