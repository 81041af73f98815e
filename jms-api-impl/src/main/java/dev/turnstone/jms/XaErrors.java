package dev.turnstone.jms;

import dev.turnstone.port.BranchId;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import jakarta.jms.JMSException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/** The one place where the port's error codes become those of X/Open XA. */
final class XaErrors {
    /** The format of the null XID, which stands for no branch (X/Open XA, "The XID structure"). */
    private static final int NO_BRANCH = -1;

    private XaErrors() {}

    /** Something that the port may refuse. */
    @FunctionalInterface
    interface Call {
        void run() throws JMSException;
    }

    /** Does it, and fails in the words of XA. */
    static void mapped(Call call) throws XAException {
        try {
            call.run();
        } catch (BrokerException e) {
            throw of(e);
        } catch (JMSException e) {
            throw because(XAException.XAER_RMFAIL, e.getMessage(), e);
        }
    }

    private static XAException of(BrokerException refused) {
        return because(code(refused.code()), refused.getMessage(), refused);
    }

    private static int code(ErrorCode code) {
        return switch (code) {
            case NO_SUCH_BRANCH -> XAException.XAER_NOTA;
            case DUPLICATE_BRANCH -> XAException.XAER_DUPID;
            case BRANCH_STATE -> XAException.XAER_PROTO;
            case BRANCH_ROLLED_BACK -> XAException.XA_RBROLLBACK;
            case TRANSACTION_TIMED_OUT -> XAException.XA_RBTIMEOUT;
            case HEURISTIC_COMMIT -> XAException.XA_HEURCOM;
            case HEURISTIC_ROLLBACK -> XAException.XA_HEURRB;
            case CLOSED, STOPPED -> XAException.XAER_RMFAIL;
            default -> XAException.XAER_RMERR;
        };
    }

    static XAException invalid(String why) {
        return because(XAException.XAER_INVAL, why, null);
    }

    private static XAException because(int code, @Nullable String why, @Nullable Throwable cause) {
        XAException exception = new XAException(why);
        exception.errorCode = code;
        if (cause != null) {
            exception.initCause(cause);
        }
        return exception;
    }

    /** The branch that an identifier names. */
    static BranchId branch(@Nullable Xid xid) throws XAException {
        if (xid == null) {
            throw invalid("no Xid");
        }
        byte[] global = xid.getGlobalTransactionId();
        byte[] qualifier = xid.getBranchQualifier();
        if (xid.getFormatId() == NO_BRANCH || global == null || qualifier == null || global.length == 0) {
            throw invalid("the Xid stands for no branch: " + xid);
        } else if (global.length > BranchId.PART_MAX || qualifier.length > BranchId.PART_MAX) {
            throw invalid("a part of the Xid has more than " + BranchId.PART_MAX + " bytes: " + xid);
        }
        return new BranchId(xid.getFormatId(), global, qualifier);
    }
}
