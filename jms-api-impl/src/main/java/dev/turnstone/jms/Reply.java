package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/** The outcome of one or several commands that a caller waits for. Guarded by the session link's lock. */
final class Reply implements Completion, SessionLink.Condition {
    private int awaited;
    private @Nullable BrokerException failure;

    private Reply(int awaited) {
        this.awaited = awaited;
    }

    /** For one command. */
    static Reply toOne() {
        return new Reply(1);
    }

    /** For as many commands as {@link #another} is called. */
    static Reply toMany() {
        return new Reply(0);
    }

    /** This, as the completion of one command more. */
    Reply another() {
        awaited++;
        return this;
    }

    /**
     * As {@link #another}, for deliveries that may be back already, as a transaction that was undone has returned them.
     */
    Completion anotherUnlessGone() {
        awaited++;
        return new Completion() {
            @Override
            public void done() {
                Reply.this.done();
            }

            @Override
            public void failed(BrokerException cause) {
                if (cause.code() == ErrorCode.NO_SUCH_DELIVERY) {
                    Reply.this.done();
                } else {
                    Reply.this.failed(cause);
                }
            }
        };
    }

    @Override
    public void done() {
        awaited--;
    }

    @Override
    public void failed(BrokerException cause) {
        awaited--;
        if (failure == null) {
            failure = cause;
        }
    }

    @Override
    public boolean met() {
        return awaited == 0;
    }

    /** The first failure, or null. */
    @Nullable
    BrokerException failure() {
        return failure;
    }

    void orThrow() throws JMSException {
        if (failure != null) {
            throw Errors.of(failure);
        }
    }
}
