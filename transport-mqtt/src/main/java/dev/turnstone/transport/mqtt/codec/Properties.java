package dev.turnstone.transport.mqtt.codec;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one packet of MQTT 5. Filled by one owner, then handed on and not changed any more; {@link #NONE}
 * is never filled.
 */
public final class Properties {
    /** No properties: all that MQTT 3.1.1 has. */
    public static final Properties NONE = new Properties();

    private final Map<Property, Object> values = new EnumMap<>(Property.class);
    private List<UserProperty> users = List.of();
    private List<Integer> subscriptionIds = List.of();

    /** Sets a number, unsigned. */
    public Properties set(Property property, long number) {
        return put(property, number);
    }

    /** Sets a text. */
    public Properties set(Property property, String text) {
        return put(property, text);
    }

    /** Sets bytes, which are not changed again. */
    public Properties set(Property property, byte[] bytes) {
        return put(property, bytes);
    }

    /** Adds a user property behind those that there are. */
    public Properties add(UserProperty user) {
        checkOwn();
        if (users.isEmpty()) {
            users = new ArrayList<>();
        }
        users.add(user);
        return this;
    }

    /** Adds a subscription identifier. */
    public Properties addSubscriptionId(int id) {
        checkOwn();
        if (subscriptionIds.isEmpty()) {
            subscriptionIds = new ArrayList<>();
        }
        subscriptionIds.add(id);
        return this;
    }

    private Properties put(Property property, Object value) {
        checkOwn();
        values.put(property, value);
        return this;
    }

    private void checkOwn() {
        if (this == NONE) {
            throw new IllegalStateException("what all packets without properties share cannot be filled");
        }
    }

    /** True if the packet has it. */
    public boolean has(Property property) {
        return values.containsKey(property);
    }

    /** A number, or what counts without it. */
    public long number(Property property, long otherwise) {
        return values.get(property) instanceof Long number ? number : otherwise;
    }

    /** A text, or null. */
    public @Nullable String text(Property property) {
        return values.get(property) instanceof String text ? text : null;
    }

    /** Bytes, not to be changed; or null. */
    public byte @Nullable [] bytes(Property property) {
        return values.get(property) instanceof byte[] bytes ? bytes : null;
    }

    /** The user properties in their order. */
    public List<UserProperty> users() {
        return users;
    }

    /** The subscription identifiers. */
    public List<Integer> subscriptionIds() {
        return subscriptionIds;
    }

    /** True if there is none. */
    public boolean isEmpty() {
        return values.isEmpty() && users.isEmpty() && subscriptionIds.isEmpty();
    }

    /** The same without what is only for people: reason string and user properties. */
    Properties terse() {
        Properties terse = new Properties();
        terse.values.putAll(values);
        terse.values.remove(Property.REASON_STRING);
        terse.subscriptionIds = subscriptionIds;
        return terse;
    }

    Map<Property, Object> values() {
        return values;
    }

    @Override
    public String toString() {
        return values + " " + users + " " + subscriptionIds;
    }
}
