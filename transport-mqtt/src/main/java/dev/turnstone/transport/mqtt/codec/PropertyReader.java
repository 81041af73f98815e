package dev.turnstone.transport.mqtt.codec;

/** Reads the properties of a packet and holds them against the table (MQTT 5 §2.2.2). Stateless. */
final class PropertyReader {
    private PropertyReader() {}

    /**
     * The properties at the input's position.
     *
     * @param packet the packet that has them; RESERVED for the will's
     */
    static Properties read(Input in, PacketType packet) {
        int length = in.variable();
        if (length == 0) {
            return Properties.NONE;
        }
        int end = in.part(length);
        Properties properties = new Properties();
        while (in.position() < end) {
            int number = in.variable();
            Property property = Property.of(number);
            if (property == null || !property.allowedIn(packet)) {
                throw MqttException.malformed("property " + number + " in " + packet);
            }
            read(in, property, properties);
        }
        if (in.position() != end) {
            throw MqttException.malformed("the properties end within a value");
        }
        return properties;
    }

    private static void read(Input in, Property property, Properties properties) {
        switch (property.form()) {
            case PAIR -> properties.add(new UserProperty(in.text(), in.text()));
            case VARIABLE -> {
                once(property, !properties.subscriptionIds().isEmpty());
                properties.addSubscriptionId((int) notZero(property, in.variable()));
            }
            case TEXT -> {
                once(property, properties.has(property));
                properties.set(property, in.text());
            }
            case BINARY -> {
                once(property, properties.has(property));
                properties.set(property, in.binary());
            }
            default -> {
                once(property, properties.has(property));
                properties.set(property, number(in, property));
            }
        }
    }

    private static long number(Input in, Property property) {
        return switch (property.form()) {
            case FLAG -> flag(property, in.oneByte());
            case TWO_BYTES -> in.twoBytes();
            case TWO_BYTES_NOT_ZERO -> notZero(property, in.twoBytes());
            case FOUR_BYTES -> in.fourBytes();
            case FOUR_BYTES_NOT_ZERO -> notZero(property, in.fourBytes());
            default -> throw new IllegalStateException(property + " is no number");
        };
    }

    private static int flag(Property property, int value) {
        if (value > 1) {
            throw MqttException.protocolError("the " + property.words() + " is " + value + ", not 0 or 1");
        }
        return value;
    }

    private static long notZero(Property property, long value) {
        if (value == 0) {
            throw MqttException.protocolError("the " + property.words() + " is 0");
        }
        return value;
    }

    private static void once(Property property, boolean again) {
        if (again) {
            throw MqttException.protocolError("the " + property.words() + " is there twice");
        }
    }
}
