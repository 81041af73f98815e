package dev.turnstone.transport.stomp.session;

import dev.turnstone.port.Settle;
import dev.turnstone.transport.stomp.codec.Frame;
import dev.turnstone.transport.stomp.codec.Header;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The open transactions of a connection by the client's names, which it may use again after the end. */
final class Transactions {
    private final Map<String, Open> open = new HashMap<>();
    private final int most;
    private long numbers;

    Transactions(int most) {
        this.most = most;
    }

    /** Opens the one that a BEGIN names. */
    Open begin(Frame frame) {
        String name = frame.required(Header.TRANSACTION);
        if (open.containsKey(name)) {
            throw frame.fault("the transaction '" + name + "' has begun already");
        }
        if (open.size() == most) {
            throw frame.fault("more than " + most + " open transactions (transactionsMax)");
        }
        Open begun = new Open(++numbers, new ArrayList<>());
        open.put(name, begun);
        return begun;
    }

    /** Closes the one that a COMMIT or ABORT names. */
    Open end(Frame frame) {
        String name = frame.required(Header.TRANSACTION);
        return known(frame, name, open.remove(name));
    }

    /** The one that a SEND, ACK or NACK names; null if it stands alone. */
    @Nullable
    Open of(Frame frame) {
        String name = frame.header(Header.TRANSACTION);
        return name == null ? null : known(frame, name, open.get(name));
    }

    private static Open known(Frame frame, String name, @Nullable Open found) {
        if (found == null) {
            throw frame.fault("no transaction '" + name + "' has begun");
        }
        return found;
    }

    /**
     * An open transaction.
     *
     * @param number as the port knows it
     * @param nacks what the client has refused in it. A refused message goes back whether the transaction is committed
     *     or aborted, so these wait here for its end.
     */
    record Open(long number, List<Settle> nacks) {}
}
