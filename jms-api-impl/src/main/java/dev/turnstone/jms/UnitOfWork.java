package dev.turnstone.jms;

import dev.turnstone.port.Completion;
import dev.turnstone.port.Session;
import jakarta.jms.JMSException;
import java.util.Collection;

/**
 * What a session's sends and acknowledgements belong to. Guarded by the link's lock, but for the methods that wait, as
 * they say.
 */
interface UnitOfWork {
    /** None: each send and acknowledgement stands alone. */
    UnitOfWork NONE = new UnitOfWork() {
        @Override
        public boolean transacted() {
            return false;
        }

        @Override
        public long enlist() {
            return Session.NO_TRANSACTION;
        }

        @Override
        public Completion refusal() {
            throw new IllegalStateException("a command that stands alone is waited for");
        }

        @Override
        public void checkOwn(String verb) throws JMSException {
            throw Errors.illegal(verb + "() needs a transacted session");
        }

        @Override
        public void commit(Collection<Inbox> consumers) throws JMSException {
            checkOwn("commit");
        }

        @Override
        public void rollback(Collection<Inbox> consumers) throws JMSException {
            checkOwn("rollback");
        }
    };

    /** Whether the API calls the session transacted. */
    boolean transacted();

    /** The number of the transaction that a command belongs to now, or none. Does not flush. */
    long enlist();

    /** For the transaction's commands that nobody waits for. */
    Completion refusal();

    /** Refuses a verb that is not for the session to call. */
    void checkOwn(String verb) throws JMSException;

    /** Makes the work durable, or undoes it and fails. The consumers are those of the session. Not under the lock. */
    void commit(Collection<Inbox> consumers) throws JMSException;

    /** Undoes the work. Not under the lock. */
    void rollback(Collection<Inbox> consumers) throws JMSException;
}
