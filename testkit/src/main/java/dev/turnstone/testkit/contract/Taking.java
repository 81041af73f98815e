package dev.turnstone.testkit.contract;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.SessionListener;
import java.util.List;

/** Adds deliveries to a list; a consumer that ends is a failure. */
record Taking(List<Delivery> taken) implements SessionListener {
    @Override
    public void delivery(Delivery delivery) {
        taken.add(delivery);
    }

    @Override
    public void consumerClosed(int consumer, BrokerException cause) {
        throw new AssertionError("consumer " + consumer + " ended", cause);
    }
}
