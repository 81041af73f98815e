package dev.turnstone.transport.mqtt.session;

import dev.turnstone.transport.mqtt.codec.ReasonCode;

/** Ends a connection. On the event loop only. */
interface MqttEnding {
    /** True once the connection's end has begun: nothing is read or delivered any more. */
    boolean begun();

    /** True while the client is told what has become of what it has asked for. */
    boolean answers();

    /** Ends it for a reason that the client is told, if its version has words for that. */
    void refuse(ReasonCode reason, String why);
}
