package dev.turnstone.broker.mailbox;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * How much one session has posted, how much of that the engine has dealt with, and how much may lie between. Commands
 * are counted round an int's range: only their difference counts.
 */
final class Room {
    private static final AtomicIntegerFieldUpdater<Room> TAKEN_COMMANDS =
            AtomicIntegerFieldUpdater.newUpdater(Room.class, "takenCommands");
    private static final AtomicLongFieldUpdater<Room> TAKEN_BYTES =
            AtomicLongFieldUpdater.newUpdater(Room.class, "takenBytes");

    private final PostLimits limits;
    private volatile int takenCommands;
    private volatile long takenBytes;
    // Edge only.
    private int postedCommands;
    private long postedBytes;

    Room(PostLimits limits) {
        this.limits = limits;
    }

    /** Edge only. */
    void posted(int commands, long bytes) {
        postedCommands += commands;
        postedBytes += bytes;
    }

    /** Engine only. */
    void taken(int commands, long bytes) {
        TAKEN_COMMANDS.lazySet(this, takenCommands + commands);
        // Not lazy: whoever says next that it waits for room must be seen to wait, or see this.
        TAKEN_BYTES.set(this, takenBytes + bytes);
    }

    /** True if the session may post; as long as there is any room, a post gets in. Edge only. */
    boolean any() {
        return postedCommands - takenCommands < limits.commandsMax() && postedBytes - takenBytes < limits.bytesMax();
    }
}
