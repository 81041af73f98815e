package dev.turnstone.transport.mqtt.codec;

/** A name and a value of the application; names may be repeated (MQTT 5 §3.3.2.3.7). */
public record UserProperty(String name, String value) {}
