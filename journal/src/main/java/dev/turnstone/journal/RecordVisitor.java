package dev.turnstone.journal;

import java.nio.ByteBuffer;

/** Sees what survived: each live record once, in no promised order, never a deleted one nor part of a torn unit. */
@FunctionalInterface
public interface RecordVisitor {
    /** One live record; the payload is the visitor's to keep. */
    void record(long id, byte type, ByteBuffer payload);
}
