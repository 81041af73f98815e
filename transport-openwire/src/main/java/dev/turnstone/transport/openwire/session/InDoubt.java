package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.CommitOutcome;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.OutcomeQuery;
import dev.turnstone.port.Session;
import org.apache.activemq.command.TransactionId;
import org.apache.activemq.command.TransactionInfo;

/**
 * Commits whose answer may be lost. A client that comes back names its transaction as before, so that the name, with
 * the user's, identifies the commit: one that is asked for again is answered with what became of it. ActiveMQ's own
 * client does not ask, it calls the transaction rolled back. On the event loop only.
 */
final class InDoubt {
    private final Session session;
    private final Client client;
    private final Answers answers;

    InDoubt(Session session, Client client, Answers answers) {
        this.session = session;
        this.client = client;
        this.answers = answers;
    }

    /** Commits a transaction, and remembers that for a client that may lose the answer and come back. */
    void commit(long number, TransactionInfo info, Completion answer) {
        if (client.sendsAgain()) {
            session.commit(number, id(info.getTransactionId()), answer);
        } else {
            session.commit(number, answer);
        }
    }

    private String id(TransactionId transaction) {
        // A user's name holds no zero character, which a client could otherwise use to speak of another user's.
        return "openwire\0" + client.user() + "\0" + transaction.getTransactionKey();
    }

    /**
     * The connection has no such transaction: an earlier one may have committed it, and is asked.
     *
     * @throws BrokerException NO_SUCH_TRANSACTION if there can have been none
     */
    void ask(TransactionInfo info) {
        if (!client.sendsAgain()) {
            throw new BrokerException(
                    ErrorCode.NO_SUCH_TRANSACTION, "the transaction " + info.getTransactionId() + " has not begun");
        }
        CommitOutcome[] outcome = {CommitOutcome.ROLLED_BACK};
        // The older connection has ended: the login sees to that.
        OutcomeQuery query = new OutcomeQuery(id(info.getTransactionId()), "", client.awayMs());
        session.outcome(query, told -> outcome[0] = told, new Completion() {
            @Override
            public void done() {
                if (outcome[0] == CommitOutcome.COMMITTED) {
                    answers.done(info);
                } else {
                    failed(new BrokerException(
                            ErrorCode.BRANCH_ROLLED_BACK,
                            "the transaction " + info.getTransactionId() + " was not committed, and never will be"));
                }
            }

            @Override
            public void failed(BrokerException cause) {
                answers.refused(info, cause);
            }
        });
    }
}
