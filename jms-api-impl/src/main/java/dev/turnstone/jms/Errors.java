package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.TransactionRolledBackException;

/**
 * The one place where the port's error codes become exceptions of the API; the error code is the port's name for it.
 */
final class Errors {
    private Errors() {}

    static JMSException of(BrokerException cause) {
        String text = cause.getMessage();
        String code = cause.code().name();
        return withCause(cause, exceptionFor(cause.code(), text, code));
    }

    private static JMSException exceptionFor(ErrorCode code, String text, String name) {
        return switch (code) {
            case INVALID_ADDRESS, NO_SUCH_SUBSCRIPTION, NO_ROUTE -> new InvalidDestinationException(text, name);
            case INVALID_SELECTOR -> new InvalidSelectorException(text, name);
            case INVALID_MESSAGE -> new MessageFormatException(text, name);
            case CLIENT_ID_IN_USE -> new InvalidClientIDException(text, name);
            case UNAUTHENTICATED, FORBIDDEN -> new JMSSecurityException(text, name);
            case MESSAGE_TOO_LARGE, LIMIT_EXCEEDED, QUEUE_FULL, DISK_FULL, DATA_LOCKED, DATA_UNUSABLE ->
                new ResourceAllocationException(text, name);
            case TRANSACTION_TOO_LARGE,
                    NO_SUCH_TRANSACTION,
                    DUPLICATE_TRANSACTION,
                    COMMIT_FENCED,
                    TRANSACTION_TIMED_OUT,
                    BRANCH_ROLLED_BACK -> new TransactionRolledBackException(text, name);
            case SUBSCRIPTION_IN_USE, NO_SUCH_CONSUMER, NO_SUCH_DELIVERY, DUPLICATE_CONSUMER, CLOSED ->
                new IllegalStateException(text, name);
            case UNSUPPORTED,
                    INVALID_CONFIGURATION,
                    STOPPED,
                    OUTCOME_UNKNOWN,
                    NO_SUCH_BRANCH,
                    DUPLICATE_BRANCH,
                    BRANCH_STATE,
                    HEURISTIC_COMMIT,
                    HEURISTIC_ROLLBACK -> new JMSException(text, name);
        };
    }

    /** For a commit whose transaction the broker has undone. */
    static JMSException rolledBack(BrokerException cause) {
        return withCause(
                cause,
                new TransactionRolledBackException(
                        "the transaction was rolled back: " + cause.getMessage(),
                        cause.code().name()));
    }

    static IllegalStateException closed(String what) {
        return new IllegalStateException("the " + what + " is closed", ErrorCode.CLOSED.name());
    }

    static IllegalStateException illegal(String text) {
        return new IllegalStateException(text, "ILLEGAL_STATE");
    }

    static JMSException unexpected(Throwable cause) {
        return withCause(cause, new JMSException("an unexpected failure: " + cause, "UNEXPECTED"));
    }

    private static JMSException withCause(Throwable cause, JMSException exception) {
        exception.initCause(cause);
        if (cause instanceof Exception linked) {
            exception.setLinkedException(linked);
        }
        return exception;
    }
}
