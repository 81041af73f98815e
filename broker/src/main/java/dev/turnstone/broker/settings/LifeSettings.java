package dev.turnstone.broker.settings;

/**
 * How a queue comes and goes. Immutable.
 *
 * @param autoCreate {@link AddressSetting#AUTO_CREATE}
 * @param autoDelete {@link AddressSetting#AUTO_DELETE}
 * @param autoDeleteDelayMs {@link AddressSetting#AUTO_DELETE_DELAY_MS}
 */
public record LifeSettings(boolean autoCreate, boolean autoDelete, long autoDeleteDelayMs) {}
