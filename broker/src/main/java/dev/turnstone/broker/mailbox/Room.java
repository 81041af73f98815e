package dev.turnstone.broker.mailbox;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** How much one session has posted, how much of that the engine has dealt with, and how much may lie between. */
final class Room {
    private static final AtomicLongFieldUpdater<Room> TAKEN_COMMANDS =
            AtomicLongFieldUpdater.newUpdater(Room.class, "takenCommands");
    private static final AtomicLongFieldUpdater<Room> TAKEN_BYTES =
            AtomicLongFieldUpdater.newUpdater(Room.class, "takenBytes");

    private volatile long takenCommands;
    private volatile long takenBytes;
    private final long commandsMax;
    private final long bytesMax;
    // Edge only.
    private long postedCommands;
    private long postedBytes;

    Room(long commandsMax, long bytesMax) {
        this.commandsMax = commandsMax;
        this.bytesMax = bytesMax;
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
        return postedCommands - takenCommands < commandsMax && postedBytes - takenBytes < bytesMax;
    }
}
