package dev.turnstone.broker.report;

/**
 * What a broker uses of what makes senders wait, or refuses, when it is used up. Immutable.
 *
 * @param memoryBytes what messages and their queues take in memory
 * @param memoryMaxBytes how much they may take before producers are paused
 * @param connections that are open
 * @param connectionsMax how many may be
 * @param journalBytes given to the journal and not yet durable
 * @param diskFull whether persistent messages wait, or are refused, for want of room on the disk
 */
public record RoomReport(
        long memoryBytes,
        long memoryMaxBytes,
        int connections,
        int connectionsMax,
        long journalBytes,
        boolean diskFull) {
    /** Nothing. */
    public static final RoomReport NONE = new RoomReport(0, 0, 0, 0, 0, false);
}
