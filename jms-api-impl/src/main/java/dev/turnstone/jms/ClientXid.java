package dev.turnstone.jms;

import dev.turnstone.port.BranchId;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/** A branch's identifier, as recovery gives it to a transaction manager. Immutable. */
record ClientXid(BranchId branch) implements Xid {
    @Override
    public int getFormatId() {
        return branch.formatId();
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return branch.globalId();
    }

    @Override
    public byte[] getBranchQualifier() {
        return branch.qualifier();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClientXid that && branch.equals(that.branch);
    }

    @Override
    public int hashCode() {
        return branch.hashCode();
    }

    @Override
    public String toString() {
        return branch.toString();
    }
}
