package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.nio.ByteBuffer;

/**
 * A branch that is prepared, or was decided by an operator. Version 1: version byte, state byte (0: prepared, 1: an
 * operator committed it, 2: an operator rolled it back), format id (int), for the global and the branch's part a length
 * byte and the bytes, then the user's name as text.
 *
 * @param branch its identifier
 * @param state what became of it
 * @param user whose it is
 */
public record BranchRecord(BranchId branch, State state, String user) implements Payload {
    private static final byte VERSION = 1;

    /** What became of a branch. */
    public enum State {
        /** It waits for its outcome. */
        PREPARED(0),
        /** An operator committed it. */
        COMMITTED(1),
        /** An operator rolled it back. */
        ROLLED_BACK(2);

        private final byte code;

        State(int code) {
            this.code = (byte) code;
        }

        private static State of(byte code) {
            for (State state : values()) {
                if (state.code == code) {
                    return state;
                }
            }
            throw new BrokerException(
                    ErrorCode.DATA_UNUSABLE, "a branch is in state " + code + ", which this version does not know");
        }
    }

    @Override
    public int sizeBytes() {
        return 2
                + Integer.BYTES
                + 2
                + branch.globalId().length
                + branch.qualifier().length
                + Form.size(Form.utf8(user));
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).put(state.code).putInt(branch.formatId());
        target.put((byte) branch.globalId().length).put(branch.globalId());
        target.put((byte) branch.qualifier().length).put(branch.qualifier());
        Form.put(target, Form.utf8(user));
    }

    static BranchRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.BRANCH);
        State state = State.of(source.get());
        BranchId branch = new BranchId(source.getInt(), part(source), part(source));
        return new BranchRecord(branch, state, Form.text(source));
    }

    private static byte[] part(ByteBuffer source) {
        byte[] bytes = new byte[source.get()];
        source.get(bytes);
        return bytes;
    }
}
