package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.Delivery;
import java.util.List;

/**
 * A delivery as its PUBLISH will be.
 *
 * @param delivery the delivery
 * @param qos the lower one of the message's and the highest of the filters that match
 * @param retain the retain flag
 * @param subscriptionIds the subscription identifiers of the filters that match
 */
record Outgoing(Delivery delivery, int qos, boolean retain, List<Integer> subscriptionIds) {}
