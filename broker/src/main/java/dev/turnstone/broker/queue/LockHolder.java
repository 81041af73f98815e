package dev.turnstone.broker.queue;

/** What has settled an entry in a prepared branch, and waits for it after a restart. Engine thread. */
@FunctionalInterface
public interface LockHolder {
    /** The entry, which is locked, is in memory. */
    void inMemory(Entry entry);
}
