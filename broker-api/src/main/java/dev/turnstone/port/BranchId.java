package dev.turnstone.port;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The identifier (Xid) of one branch of a global transaction (X/Open XA, "The XID structure"). Immutable. */
public final class BranchId {
    /** The most bytes that each of its two parts may have. */
    public static final int PART_MAX = 64;

    private final int formatId;
    private final byte[] globalId;
    private final byte[] qualifier;

    /** Takes copies. */
    public BranchId(int formatId, byte[] globalId, byte[] qualifier) {
        if (globalId.length > PART_MAX || qualifier.length > PART_MAX) {
            throw new IllegalArgumentException("a part of a branch's identifier has at most " + PART_MAX + " bytes");
        }
        this.formatId = formatId;
        this.globalId = globalId.clone();
        this.qualifier = qualifier.clone();
    }

    /** Says how the parts are to be read. */
    public int formatId() {
        return formatId;
    }

    /** The global transaction; a copy. */
    public byte[] globalId() {
        return globalId.clone();
    }

    /** The branch in the global transaction; a copy. */
    public byte[] qualifier() {
        return qualifier.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BranchId that
                && formatId == that.formatId
                && Arrays.equals(globalId, that.globalId)
                && Arrays.equals(qualifier, that.qualifier);
    }

    @Override
    public int hashCode() {
        return (formatId * 31 + Arrays.hashCode(globalId)) * 31 + Arrays.hashCode(qualifier);
    }

    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return Integer.toHexString(formatId) + ":" + hex.formatHex(globalId) + ":" + hex.formatHex(qualifier);
    }
}
