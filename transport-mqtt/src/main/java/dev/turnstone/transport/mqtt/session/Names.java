package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.DedupId;
import java.util.Set;

/**
 * The message properties that have a meaning in MQTT. What a client sends under one of the broker's own names is kept
 * with the rest of its user properties, and nowhere else.
 */
final class Names {
    /** What the payload is; STOMP's header of that name. */
    static final String CONTENT_TYPE = "content-type";
    /** 1 for a message that was published at QoS 1; others are persistent (2) or not (0). */
    static final String QOS = "mqtt_qos";
    /** A payload format indicator that was given and says nothing (0). */
    static final String PAYLOAD_FORMAT = "mqtt_payload_format";
    /** All user properties, if a map cannot hold them: a name twice, or one of these. */
    static final String USER_PROPERTIES = "mqtt_user_properties";
    /** JMSType, JMSXGroupID and JMSXGroupSeq, which MQTT has no other place for. */
    static final String TYPE = "JMSType";

    static final String GROUP_ID = "JMSXGroupID";
    static final String GROUP_SEQUENCE = "JMSXGroupSeq";
    /** Names a message for good: a second one with the same id is not stored. */
    static final String DEDUP_ID = DedupId.HEADER;
    /** "true": the message is refused if nobody would get it. */
    static final String MANDATORY = "mandatory";

    private static final Set<String> OWN = Set.of(CONTENT_TYPE, QOS, PAYLOAD_FORMAT, USER_PROPERTIES);

    private Names() {}

    /** True if a user property of this name is not a property of the message. */
    static boolean isOwn(String name) {
        return OWN.contains(name);
    }
}
