package dev.turnstone.broker.queue;

/** Where a queue has the last value of one key. Owned by the engine thread. */
final class LastValue {
    final String key;
    Place place;
    /** Its number in the page, if its place is a run. */
    int slot;

    long position;

    LastValue(String key, Entry entry) {
        this.key = key;
        this.place = entry;
        this.position = entry.position();
    }

    void is(Entry entry) {
        place = entry;
        position = entry.position();
    }
}
