package dev.turnstone.journal.artemis;

import java.io.IOException;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the disk has room for sends: looks a few times a second, and whenever a file was begun. Between two looks the
 * journal may write on, which the low-water mark must allow for. Any thread.
 */
final class DiskWatch {
    /** Hears of each look. */
    @FunctionalInterface
    interface Tick {
        void of(boolean full);
    }

    private static final long INTERVAL_MS = 200;

    private final SegmentFiles files;
    private final long lowWaterBytes;
    private final LongSupplier spareBytes;
    private final Tick eachLook;
    private volatile boolean room = true;
    private volatile long freeBytes = Long.MAX_VALUE;
    private @Nullable Timer clock;

    /**
     * Not yet looking.
     *
     * @param spareBytes what files that were made before and are not used have room for
     * @param eachLook called at each look
     */
    DiskWatch(SegmentFiles files, long lowWaterBytes, LongSupplier spareBytes, Tick eachLook) {
        this.files = files;
        this.lowWaterBytes = lowWaterBytes;
        this.spareBytes = spareBytes;
        this.eachLook = eachLook;
    }

    /** Looks for the first time, then on and on. */
    void start() {
        if (lowWaterBytes > 0) {
            look();
            clock = new Timer("turnstone-journal-disk", true);
            clock.schedule(
                    new TimerTask() {
                        @Override
                        public void run() {
                            look();
                        }
                    },
                    INTERVAL_MS,
                    INTERVAL_MS);
        }
    }

    void stop() {
        if (clock != null) {
            clock.cancel();
        }
    }

    boolean hasRoom() {
        return room;
    }

    /** What was free at the last look. */
    long freeBytes() {
        return freeBytes;
    }

    private synchronized void look() {
        try {
            long free = files.layer().freeBytes(files.folder()) + spareBytes.getAsLong();
            freeBytes = free;
            // One file more than was needed to lose it, or each file begun would turn it over.
            boolean now = free >= lowWaterBytes + (room ? 0 : files.layout().fileBytes());
            if (now != room) {
                room = now;
                files.progress().roomChanged(files.folder(), now, free);
            }
            eachLook.of(!now);
        } catch (IOException e) {
            files.progress().failed("looking for free space on the disk", e);
        }
    }
}
