package dev.turnstone.broker.session;

import dev.turnstone.broker.route.Addresses;
import dev.turnstone.broker.route.QueueWatch;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The watches of one session. Owned by the engine thread. */
final class Watches {
    private final Addresses addresses;
    private final Map<Integer, QueueWatch> open = new HashMap<>(0);

    Watches(Addresses addresses) {
        this.addresses = addresses;
    }

    void begin(int number, Address pattern, Consumer<Address> found) {
        if (pattern.kind() != AddressKind.QUEUE || pattern.isComposite()) {
            throw new BrokerException(ErrorCode.UNSUPPORTED, "only queues are watched, not " + pattern);
        }
        if (open.containsKey(number)) {
            throw new BrokerException(ErrorCode.DUPLICATE_CONSUMER, "the session has a watch " + number + " already");
        }
        QueueWatch watch = new QueueWatch(pattern, found);
        open.put(number, watch);
        addresses.watches().begin(watch);
    }

    void end(int number) {
        QueueWatch watch = open.remove(number);
        if (watch != null) {
            addresses.watches().end(watch);
        }
    }

    void endAll() {
        open.values().forEach(addresses.watches()::end);
        open.clear();
    }
}
