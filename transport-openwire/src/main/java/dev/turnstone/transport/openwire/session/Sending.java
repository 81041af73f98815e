package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import java.util.HashMap;
import java.util.Map;
import org.apache.activemq.command.Message;
import org.apache.activemq.command.ProducerAck;
import org.apache.activemq.command.ProducerId;
import org.apache.activemq.command.ProducerInfo;
import org.apache.activemq.command.SessionId;

/** Producers and what they send. On the event loop only. */
final class Sending {
    private final Session session;
    private final Client client;
    private final Transactions transactions;
    private final MessageReader messages;
    private final Outgoing outgoing;
    private final Answers answers;
    /** Each producer's window: how many bytes it sends before it waits to hear of some; 0 for any number. */
    private final Map<ProducerId, Integer> windows = new HashMap<>();

    Sending(
            Session session,
            Client client,
            Transactions transactions,
            MessageReader messages,
            Outgoing outgoing,
            Answers answers) {
        this.session = session;
        this.client = client;
        this.transactions = transactions;
        this.messages = messages;
        this.outgoing = outgoing;
        this.answers = answers;
    }

    void add(ProducerInfo info) {
        int most = client.settings().producersMax();
        if (windows.size() >= most && !windows.containsKey(info.getProducerId())) {
            throw new BrokerException(ErrorCode.LIMIT_EXCEEDED, "more than " + most + " producers (producersMax)");
        }
        windows.put(info.getProducerId(), info.getWindowSize());
        answers.done(info);
    }

    void remove(ProducerId id) {
        windows.remove(id);
    }

    /** Those of a session. */
    void removeOf(SessionId session) {
        windows.keySet().removeIf(id -> session.equals(id.getParentId()));
    }

    void send(Message message) {
        try {
            dev.turnstone.port.Message canonical = messages.read(message);
            DedupId dedup = MessageReader.dedupId(canonical, message, client.sendsAgain());
            Send send = new Send(canonical, transactions.number(message.getTransactionId())).with(dedup);
            session.send(send, transactions.failing(message.getTransactionId(), completion(message)));
        } catch (BrokerException e) {
            transactions.fail(message.getTransactionId(), e);
            throw e;
        }
    }

    private Completion completion(Message message) {
        Completion answer = message.isInTransaction() && !message.isResponseRequired()
                // The commit tells.
                ? answers.noted()
                : answers.to(message);
        Integer window = message.isResponseRequired() ? null : windows.get(message.getProducerId());
        if (window == null || window <= 0) {
            return answer;
        }
        return new Completion() {
            @Override
            public void done() {
                outgoing.send(new ProducerAck(message.getProducerId(), message.getSize()));
            }

            @Override
            public void failed(BrokerException cause) {
                // It no longer fills the window either.
                done();
                answer.failed(cause);
            }
        };
    }
}
