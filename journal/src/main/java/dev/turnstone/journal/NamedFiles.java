package dev.turnstone.journal;

import java.nio.ByteBuffer;

/** Says which page files must be there as long as a record lives: only who writes the records knows. */
@FunctionalInterface
public interface NamedFiles {
    /** No record names any. */
    NamedFiles NONE = (id, type, payload) -> new long[0];

    /**
     * The identifiers of the files that a record needs.
     *
     * @param id the record's own
     * @param type its type
     * @param payload its payload, to be read at once
     */
    long[] of(long id, byte type, ByteBuffer payload);
}
