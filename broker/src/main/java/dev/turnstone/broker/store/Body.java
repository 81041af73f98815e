package dev.turnstone.broker.store;

/** One body that is stored apart, and how many hold it. Owned by the engine thread. */
public final class Body {
    private final long id;
    private final int chunkBytes;
    private final boolean durable;
    private long length;
    private int holds;

    Body(long id, int chunkBytes, boolean durable, long length) {
        this.id = id;
        this.durable = durable;
        this.chunkBytes = chunkBytes;
        this.length = length;
    }

    /** Its identifier, never used again. */
    public long id() {
        return id;
    }

    /** The length of each chunk but the last. */
    public int chunkBytes() {
        return chunkBytes;
    }

    /** True if its chunks survive the machine, so that persistent messages may have it. */
    public boolean durable() {
        return durable;
    }

    /** How long it is, or has become so far. */
    public long length() {
        return length;
    }

    void grow(int bytes) {
        length += bytes;
    }

    /** A message has it, which says how long it is: not less than that. */
    void reaches(long bytes) {
        length = Math.max(length, bytes);
    }

    boolean held() {
        return holds > 0;
    }

    /** One holds it more. */
    public void hold() {
        holds++;
    }

    /** One holds it less; true if nobody does. */
    boolean release() {
        holds--;
        Invariant.check(holds >= 0, "a body is held at least by nobody");
        return holds == 0;
    }
}
