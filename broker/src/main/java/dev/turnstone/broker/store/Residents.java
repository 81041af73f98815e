package dev.turnstone.broker.store;

import org.jspecify.annotations.Nullable;

/** Which messages of a page are in memory; takes next to nothing while none is. Owned by the engine thread. */
final class Residents {
    private final int slots;
    private @Nullable StoredMessage @Nullable [] messages;
    private int count;

    Residents(int slots) {
        this.slots = slots;
    }

    int slots() {
        return slots;
    }

    int count() {
        return count;
    }

    @Nullable
    StoredMessage at(int slot) {
        return messages == null ? null : messages[slot];
    }

    void enter(int slot, StoredMessage message) {
        if (messages == null) {
            messages = new @Nullable StoredMessage[slots];
        }
        messages[slot] = message;
        count++;
    }

    void exit(int slot) {
        if (messages != null) {
            messages[slot] = null;
            if (--count == 0) {
                messages = null;
            }
        }
    }
}
