package dev.turnstone.journal;

/**
 * The named limits of a journal.
 *
 * @param outstandingBytes setting {@code journal.outstanding}: bytes appended and not yet durable beyond which
 *     {@link Journal#accepting} is false
 * @param recordMaxBytes the largest payload of one record, bytes
 * @param fileBytes the size of one journal file, bytes
 */
public record JournalLimits(long outstandingBytes, int recordMaxBytes, int fileBytes) {
    /** 32 MiB outstanding, records up to 1 MiB plus 64 KiB for the envelope, files of 16 MiB. */
    public static final JournalLimits DEFAULTS = new JournalLimits(32L << 20, (1 << 20) + (64 << 10), 16 << 20);

    /** Checks that the limits fit each other. */
    public JournalLimits {
        if (outstandingBytes <= 0 || recordMaxBytes <= 0 || fileBytes < fileMinBytes(recordMaxBytes)) {
            throw new IllegalArgumentException("journal limits contradict each other: outstanding=" + outstandingBytes
                    + ", record=" + recordMaxBytes + ", file=" + fileBytes);
        }
    }

    /** The smallest file that serves records of a size: two of them and their framing. */
    public static long fileMinBytes(int recordMaxBytes) {
        return 2L * recordMaxBytes + 4096;
    }
}
