package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.TransactionRolledBackException;
import javax.transaction.xa.XAException;

/**
 * The port's refusals as the exceptions that ActiveMQ's clients expect. Only the class and the text travel, so each
 * class has a constructor that takes a text. Any thread.
 */
final class Errors {
    /** Where the client's library looks for the number, as the exception's field does not travel. */
    private static final String XA_CODE = " xaErrorCode:";

    private Errors() {}

    static Throwable of(BrokerException cause) {
        String text = String.valueOf(cause.getMessage());
        return switch (cause.code()) {
            // The client makes a JMSSecurityException of it, and ends a connection whose login it answers.
            case UNAUTHENTICATED, FORBIDDEN -> new SecurityException(text);
            case CLIENT_ID_IN_USE -> new InvalidClientIDException(text);
            case INVALID_SELECTOR -> new InvalidSelectorException(text);
            case INVALID_ADDRESS, NO_SUCH_SUBSCRIPTION, NO_ROUTE -> new InvalidDestinationException(text);
            case INVALID_MESSAGE, MESSAGE_TOO_LARGE -> new MessageFormatException(text);
            case LIMIT_EXCEEDED, QUEUE_FULL, DISK_FULL -> new ResourceAllocationException(text);
            case COMMIT_FENCED, TRANSACTION_TIMED_OUT, TRANSACTION_TOO_LARGE, BRANCH_ROLLED_BACK ->
                new TransactionRolledBackException(text);
            default -> new JMSException(text);
        };
    }

    /** The refusal of a command that concerns a branch of a global transaction. */
    static Throwable ofBranch(BrokerException cause) {
        return new XAException(cause.getMessage() + XA_CODE + xaCode(cause.code()));
    }

    private static int xaCode(ErrorCode code) {
        return switch (code) {
            case NO_SUCH_BRANCH -> XAException.XAER_NOTA;
            case DUPLICATE_BRANCH -> XAException.XAER_DUPID;
            case BRANCH_STATE -> XAException.XAER_PROTO;
            case BRANCH_ROLLED_BACK -> XAException.XA_RBROLLBACK;
            case TRANSACTION_TIMED_OUT -> XAException.XA_RBTIMEOUT;
            case TRANSACTION_TOO_LARGE -> XAException.XA_RBOTHER;
            case HEURISTIC_COMMIT -> XAException.XA_HEURCOM;
            case HEURISTIC_ROLLBACK -> XAException.XA_HEURRB;
            case INVALID_ADDRESS, INVALID_MESSAGE -> XAException.XAER_INVAL;
            default -> XAException.XAER_RMERR;
        };
    }
}
