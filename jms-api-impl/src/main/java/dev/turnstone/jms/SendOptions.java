package dev.turnstone.jms;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;

/** How a producer sends (Jakarta Messaging 3.1 §7.4 to §7.9), checked as it is set. One thread. */
final class SendOptions {
    private int deliveryMode = DeliveryMode.PERSISTENT;
    private int priority = 4;
    private long timeToLiveMs;
    private long deliveryDelayMs;
    private boolean withoutId;
    private boolean withoutTimestamp;

    int deliveryMode() {
        return deliveryMode;
    }

    int priority() {
        return priority;
    }

    long timeToLiveMs() {
        return timeToLiveMs;
    }

    long deliveryDelayMs() {
        return deliveryDelayMs;
    }

    boolean withoutId() {
        return withoutId;
    }

    boolean withoutTimestamp() {
        return withoutTimestamp;
    }

    SendOptions deliveryMode(int mode) throws JMSException {
        checkDeliveryMode(mode);
        deliveryMode = mode;
        return this;
    }

    SendOptions priority(int level) throws JMSException {
        checkPriority(level);
        priority = level;
        return this;
    }

    SendOptions timeToLiveMs(long ms) throws JMSException {
        checkTimeToLive(ms);
        timeToLiveMs = ms;
        return this;
    }

    SendOptions deliveryDelayMs(long ms) throws JMSException {
        if (ms < 0) {
            throw new JMSException("a negative delivery delay: " + ms, "INVALID_DELIVERY_DELAY");
        }
        deliveryDelayMs = ms;
        return this;
    }

    SendOptions withoutId(boolean without) {
        withoutId = without;
        return this;
    }

    SendOptions withoutTimestamp(boolean without) {
        withoutTimestamp = without;
        return this;
    }

    static void checkDeliveryMode(int mode) throws JMSException {
        if (mode != DeliveryMode.PERSISTENT && mode != DeliveryMode.NON_PERSISTENT) {
            throw new JMSException("not a delivery mode: " + mode, "INVALID_DELIVERY_MODE");
        }
    }

    static void checkPriority(int level) throws JMSException {
        if (level < 0 || level > 9) {
            throw new JMSException("a priority must be 0 to 9, not " + level, "INVALID_PRIORITY");
        }
    }

    static void checkTimeToLive(long ms) throws JMSException {
        if (ms < 0) {
            throw new JMSException("a negative time to live: " + ms, "INVALID_TIME_TO_LIVE");
        }
    }
}
