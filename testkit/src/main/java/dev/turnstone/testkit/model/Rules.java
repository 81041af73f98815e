package dev.turnstone.testkit.model;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import java.util.List;
import java.util.Map;

/**
 * What is set for addresses, as far as the model knows. Immutable.
 *
 * @param traits of the queues that have some
 * @param copies where what is sent to a queue also goes, or what is sent to a topic: to queues that subscribe to it by
 *     their names, from their first use on
 * @param dead where dead letters of queues with a maximum of attempts go
 * @param expired where what expires in queues goes that move it
 */
public record Rules(Map<Address, Traits> traits, Map<Address, List<Address>> copies, Address dead, Address expired) {
    /** Nothing is set. */
    public static final Rules NONE = new Rules(Map.of(), Map.of(), Address.queue("dead"), Address.queue("expired"));

    /** True if the queue gets what is sent to some topic, once somebody has used it. */
    boolean beginsWithUse(Address queue) {
        return copies.entrySet().stream()
                .anyMatch(copy -> copy.getKey().kind() == AddressKind.TOPIC
                        && copy.getValue().contains(queue));
    }

    Traits of(Address address) {
        return traits.getOrDefault(address, Traits.NONE);
    }
}
