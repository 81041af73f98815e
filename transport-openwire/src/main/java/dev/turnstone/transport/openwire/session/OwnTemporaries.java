package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Session;
import java.util.HashMap;
import java.util.Map;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ActiveMQTempDestination;
import org.apache.activemq.command.DestinationInfo;

/** The temporary destinations of one connection. On the event loop only. */
final class OwnTemporaries {
    private final Session session;
    private final Client client;
    private final Temporaries temporaries;
    private final Answers answers;
    private final Map<ActiveMQDestination, Address> own = new HashMap<>();

    OwnTemporaries(Session session, Client client, Temporaries temporaries, Answers answers) {
        this.session = session;
        this.client = client;
        this.temporaries = temporaries;
        this.answers = answers;
    }

    void accept(DestinationInfo info) {
        ActiveMQDestination destination = info.getDestination();
        if (destination == null) {
            throw new BrokerException(ErrorCode.INVALID_ADDRESS, "the destination is missing");
        }
        if (info.getOperationType() == DestinationInfo.ADD_OPERATION_TYPE) {
            if (destination.isTemporary()) {
                add(info, destination);
            } else {
                // Others are there as soon as somebody uses them.
                answers.done(info);
            }
        } else if (destination.isTemporary()) {
            remove(info, destination);
        } else if (destination.isQueue()) {
            session.deleteQueue(Address.parse(AddressKind.QUEUE, Destinations.name(destination)), answers.to(info));
        } else {
            throw new BrokerException(
                    ErrorCode.UNSUPPORTED, "a topic ends with its subscriptions: there is no deleting " + destination);
        }
    }

    private void add(DestinationInfo info, ActiveMQDestination destination) {
        if (!(destination instanceof ActiveMQTempDestination temporary)
                || !client.id().getValue().equals(temporary.getConnectionId())) {
            // The name would be that of somebody else's.
            throw new BrokerException(
                    ErrorCode.FORBIDDEN,
                    "the name of the temporary destination " + destination + " does not begin with the connection's");
        }
        AddressKind kind = destination.isQueue() ? AddressKind.QUEUE : AddressKind.TOPIC;
        Address address = Address.temporary(kind, client.connection(), String.valueOf(destination.getPhysicalName()));
        Completion answer = answers.to(info);
        // A client that comes back consumes from it without waiting for the answer.
        own.put(destination, address);
        temporaries.made(destination, address);
        session.declareTemporary(address, new Completion() {
            @Override
            public void done() {
                answer.done();
            }

            @Override
            public void failed(BrokerException cause) {
                forget(destination);
                answer.failed(cause);
            }

            @Override
            public boolean wantsDone() {
                return answer.wantsDone();
            }
        });
    }

    private void remove(DestinationInfo info, ActiveMQDestination destination) {
        Address address = own.get(destination);
        if (address == null) {
            throw new BrokerException(
                    ErrorCode.INVALID_ADDRESS, "the connection has no temporary destination " + destination);
        }
        Completion answer = answers.to(info);
        session.deleteTemporary(address, new Completion() {
            @Override
            public void done() {
                forget(destination);
                answer.done();
            }

            @Override
            public void failed(BrokerException cause) {
                answer.failed(cause);
            }
        });
    }

    private void forget(ActiveMQDestination destination) {
        Address address = own.remove(destination);
        if (address != null) {
            temporaries.gone(destination, address);
        }
    }

    /** The connection ends, and they with it. */
    void close() {
        own.forEach(temporaries::gone);
        own.clear();
    }
}
