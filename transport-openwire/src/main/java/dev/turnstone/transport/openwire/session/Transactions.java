package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.activemq.command.LocalTransactionId;
import org.apache.activemq.command.MessageAck;
import org.apache.activemq.command.TransactionId;
import org.apache.activemq.command.TransactionInfo;
import org.apache.activemq.command.XATransactionId;
import org.jspecify.annotations.Nullable;

/** The transactions of a connection. On the event loop only. */
final class Transactions {
    private final Session session;
    private final Client client;
    private final Settling settling;
    private final Answers answers;
    private final int most;
    private final Map<TransactionId, Work> open = new HashMap<>();
    private final Branching branching;
    private final InDoubt inDoubt;
    private long numbers;

    Transactions(Session session, Client client, Settling settling, Answers answers) {
        this.session = session;
        this.client = client;
        this.settling = settling;
        this.answers = answers;
        most = client.settings().transactionsMax();
        inDoubt = new InDoubt(session, client, answers);
        branching = new Branching(session, client, settling, answers, () -> ++numbers);
    }

    void accept(TransactionInfo info) {
        if (info.getType() == TransactionInfo.RECOVER) {
            branching.recover(info);
        } else if (info.getTransactionId() instanceof XATransactionId id) {
            branching.accept(id, info);
        } else if (info.getTransactionId() == null) {
            throw new BrokerException(ErrorCode.NO_SUCH_TRANSACTION, "the command names no transaction");
        } else {
            local(info);
        }
    }

    private void local(TransactionInfo info) {
        if (!(info.getTransactionId() instanceof LocalTransactionId id)
                || !client.id().equals(id.getConnectionId())) {
            throw new BrokerException(
                    ErrorCode.FORBIDDEN, "the transaction " + info.getTransactionId() + " is not the connection's own");
        }
        switch (info.getType()) {
            case TransactionInfo.BEGIN -> begin(info);
            case TransactionInfo.COMMIT_ONE_PHASE -> commit(info);
            case TransactionInfo.ROLLBACK -> rollback(info);
            default ->
                throw new BrokerException(
                        ErrorCode.UNSUPPORTED, "a transaction's command of the type " + info.getType());
        }
    }

    private void begin(TransactionInfo info) {
        if (open.containsKey(info.getTransactionId())) {
            throw new BrokerException(
                    ErrorCode.DUPLICATE_TRANSACTION,
                    "the transaction " + info.getTransactionId() + " has begun already");
        }
        if (open.size() >= most) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED, "more than " + most + " open transactions (transactionsMax)");
        }
        Work begun = new Work(++numbers);
        open.put(info.getTransactionId(), begun);
        session.begin(begun.number(), failing(begun, answers.to(info)));
    }

    /** The number of the transaction that a command names; that of none if it stands alone. */
    long number(@Nullable TransactionId id) {
        return id == null ? Session.NO_TRANSACTION : known(id).number();
    }

    /** A completion that also has the transaction fail, if there is one. */
    Completion failing(@Nullable TransactionId id, Completion completion) {
        Work transaction = find(id);
        return transaction == null ? completion : failing(transaction, completion);
    }

    private static Completion failing(Work transaction, Completion completion) {
        return new Completion() {
            @Override
            public void done() {
                completion.done();
            }

            @Override
            public void failed(BrokerException cause) {
                transaction.fail(cause);
                completion.failed(cause);
            }

            @Override
            public boolean wantsDone() {
                return completion.wantsDone();
            }
        };
    }

    private @Nullable Work find(@Nullable TransactionId id) {
        return id instanceof XATransactionId branch ? branching.work(branch) : id == null ? null : open.get(id);
    }

    private Work known(TransactionId id) {
        Work found = find(id);
        if (found == null) {
            throw new BrokerException(ErrorCode.NO_SUCH_TRANSACTION, "the transaction " + id + " has not begun");
        }
        return found;
    }

    /** What the command that was refused was to do is missing: the transaction, if there is one, can only roll back. */
    void fail(@Nullable TransactionId id, BrokerException cause) {
        Work transaction = find(id);
        if (transaction != null) {
            transaction.fail(cause);
        }
    }

    /** The acknowledgement takes effect with the transaction. */
    void enlist(MessageAck ack, OpenWireConsumer consumer, List<Held> held, Outcome outcome) {
        known(ack.getTransactionId()).enlist(new Work.Acknowledged(consumer, held, outcome));
        if (ack.isIndividualAck()) {
            int more = consumer.extend(held.size());
            if (more > 0) {
                session.credit(held.get(0).port(), more);
            }
        }
        answers.done(ack);
    }

    private void commit(TransactionInfo info) {
        Work transaction = open.remove(info.getTransactionId());
        if (transaction == null) {
            inDoubt.ask(info);
            return;
        }
        BrokerException failure = transaction.failure();
        if (failure != null) {
            settling.giveBack(transaction);
            session.rollback(transaction.number(), answers.noted());
            throw new BrokerException(
                    ErrorCode.BRANCH_ROLLED_BACK,
                    "the transaction has rolled back, as a part of it was refused: " + failure.getMessage(),
                    failure);
        }
        settling.handOver(transaction);
        Completion answer = answers.to(info);
        inDoubt.commit(transaction.number(), info, new Completion() {
            @Override
            public void done() {
                settling.forget(transaction.acknowledged());
                answer.done();
            }

            @Override
            public void failed(BrokerException cause) {
                settling.goOn(transaction.acknowledged(), () -> answer.failed(cause));
            }
        });
    }

    private void rollback(TransactionInfo info) {
        Work transaction = known(info.getTransactionId());
        open.remove(info.getTransactionId());
        settling.giveBack(transaction);
        session.rollback(transaction.number(), answers.to(info));
    }
}
