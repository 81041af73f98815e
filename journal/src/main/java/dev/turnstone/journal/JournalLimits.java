package dev.turnstone.journal;

/**
 * The named limits of a journal.
 *
 * @param outstandingBytes setting {@code journal.outstanding}: bytes appended and not yet durable beyond which
 *     {@link Journal#accepting} is false
 * @param recordMaxBytes the largest payload of one record, bytes
 * @param fileBytes the size of one journal file, bytes
 * @param diskLowWaterBytes setting {@code disk.lowWater}: free bytes on the disk, those of spare journal files counted,
 *     below which {@link Journal#hasRoom} is false; 0 never looks
 * @param loadBytes what a load may keep in memory; with more alive it reads the files twice
 * @param relaxedSyncMs setting {@code journal.relaxedSyncMs}: how long after it was written a relaxed batch is synced
 *     at the latest, milliseconds
 */
public record JournalLimits(
        long outstandingBytes,
        int recordMaxBytes,
        int fileBytes,
        long diskLowWaterBytes,
        long loadBytes,
        int relaxedSyncMs) {
    private static final long DISK_LOW_WATER_BYTES = 256L << 20;
    private static final int RELAXED_SYNC_MS = 100;

    /**
     * 32 MiB outstanding, records up to 1 MiB plus 64 KiB for the envelope, files of 16 MiB, 256 MiB of the disk kept
     * free.
     */
    public static final JournalLimits DEFAULTS = new JournalLimits(32L << 20, (1 << 20) + (64 << 10), 16 << 20);

    /** With the usual low-water mark and time. */
    public JournalLimits(long outstandingBytes, int recordMaxBytes, int fileBytes) {
        this(outstandingBytes, recordMaxBytes, fileBytes, DISK_LOW_WATER_BYTES);
    }

    /** With a sixteenth of the largest heap for a load. */
    public JournalLimits(long outstandingBytes, int recordMaxBytes, int fileBytes, long diskLowWaterBytes) {
        this(
                outstandingBytes,
                recordMaxBytes,
                fileBytes,
                diskLowWaterBytes,
                Runtime.getRuntime().maxMemory() / 16);
    }

    /** With the usual time. */
    public JournalLimits(
            long outstandingBytes, int recordMaxBytes, int fileBytes, long diskLowWaterBytes, long loadBytes) {
        this(outstandingBytes, recordMaxBytes, fileBytes, diskLowWaterBytes, loadBytes, RELAXED_SYNC_MS);
    }

    /** The same with another time. */
    public JournalLimits withRelaxedSyncMs(int ms) {
        return new JournalLimits(outstandingBytes, recordMaxBytes, fileBytes, diskLowWaterBytes, loadBytes, ms);
    }

    /** Checks that the limits fit each other. */
    public JournalLimits {
        if (diskLowWaterBytes < 0) {
            throw new IllegalArgumentException("disk.lowWater is negative: " + diskLowWaterBytes);
        }
        if (relaxedSyncMs <= 0) {
            throw new IllegalArgumentException("journal.relaxedSyncMs is not positive: " + relaxedSyncMs);
        }
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
