package dev.turnstone.broker.session;

import dev.turnstone.broker.route.Addresses;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.security.Access;
import dev.turnstone.broker.tx.Transaction;
import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.spi.Action;

/** Whether a connection may send to all places that its messages reach. Owned by the engine thread. */
final class SendCheck {
    private final Access access;
    private final Addresses addresses;

    SendCheck(Access access, Addresses addresses) {
        this.access = access;
        this.addresses = addresses;
    }

    /** Changes when permissions or bindings do: what was found before need not hold. */
    long revision() {
        return access.revision() + addresses.bindingsRevision();
    }

    /**
     * The sender may send to all places that the message reaches.
     *
     * @throws BrokerException FORBIDDEN
     */
    void check(Message message, Origin from) {
        checkItself(message);
        for (Address reached : addresses.reached(message, from)) {
            checkFree(reached);
            access.check(Action.SEND, reached);
        }
    }

    private void checkItself(Message message) {
        if (!message.address().isComposite()) {
            checkFree(message.address());
            access.checkSend(message.address());
        }
    }

    /** The broker's own names are nobody's to send to, whatever the permissions say. */
    private static void checkFree(Address address) {
        String name = address.name();
        int end = name.indexOf('.');
        String first = end < 0 ? name : name.substring(0, end);
        if (first.equals("$SYS") || first.equals("$share")) {
            throw new BrokerException(ErrorCode.FORBIDDEN, first + " is the broker's: nobody sends to " + address);
        }
    }

    /**
     * Before a transaction commits, or a branch is prepared: if permissions or bindings are others than at its first
     * send, its messages are checked again. One that may no longer be sent is what the transaction is refused for.
     */
    void checkAgain(Transaction transaction) {
        if (transaction.refusal() != null || !transaction.checkedBefore(revision())) {
            return;
        }
        try {
            transaction.eachSend((message, from, bound) -> {
                if (bound) {
                    check(message, from);
                } else {
                    checkItself(message);
                }
            });
        } catch (BrokerException refusal) {
            transaction.refused(refusal);
        }
    }
}
