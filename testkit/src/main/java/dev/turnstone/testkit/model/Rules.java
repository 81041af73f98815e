package dev.turnstone.testkit.model;

import dev.turnstone.port.Address;
import java.util.List;
import java.util.Map;

/**
 * What is set for addresses, as far as the model knows. Immutable.
 *
 * @param traits of the queues that have some
 * @param copies where what is sent to a queue also goes
 * @param dead where dead letters of queues with a maximum of attempts go
 */
public record Rules(Map<Address, Traits> traits, Map<Address, List<Address>> copies, Address dead) {
    /** Nothing is set. */
    public static final Rules NONE = new Rules(Map.of(), Map.of(), Address.queue("dead"));

    Traits of(Address address) {
        return traits.getOrDefault(address, Traits.NONE);
    }
}
