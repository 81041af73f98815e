package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.transport.mqtt.codec.ReasonCode;
import dev.turnstone.transport.vertx.Ending;

/** What the broker's refusals are in MQTT. Any thread. */
final class Reasons {
    private Reasons() {}

    /** Why a client does not get in (CONNACK). */
    static ReasonCode ofConnect(ErrorCode code) {
        return switch (code) {
            case UNAUTHENTICATED -> ReasonCode.BAD_USER_NAME_OR_PASSWORD;
            case FORBIDDEN -> ReasonCode.NOT_AUTHORIZED;
            case CLIENT_ID_IN_USE, SUBSCRIPTION_IN_USE -> ReasonCode.CLIENT_IDENTIFIER_NOT_VALID;
            case LIMIT_EXCEEDED -> ReasonCode.SERVER_BUSY;
            case INVALID_ADDRESS -> ReasonCode.TOPIC_NAME_INVALID; // the will's
            case STOPPED, CLOSED -> ReasonCode.SERVER_UNAVAILABLE;
            default -> ReasonCode.UNSPECIFIED_ERROR;
        };
    }

    /** The reason as CONNACK can give it, which has not all of DISCONNECT's (MQTT 5 §3.2.2.2). */
    static ReasonCode inConnack(ReasonCode reason) {
        return switch (reason) {
            case SESSION_TAKEN_OVER -> ReasonCode.SERVER_BUSY;
            case SERVER_SHUTTING_DOWN -> ReasonCode.SERVER_UNAVAILABLE;
            default -> reason;
        };
    }

    /** Why a message is not taken (PUBACK, PUBREC). */
    static ReasonCode ofPublish(ErrorCode code) {
        return switch (code) {
            case FORBIDDEN -> ReasonCode.NOT_AUTHORIZED;
            case INVALID_ADDRESS -> ReasonCode.TOPIC_NAME_INVALID;
            case NO_ROUTE -> ReasonCode.NO_MATCHING_SUBSCRIBERS;
            case MESSAGE_TOO_LARGE, LIMIT_EXCEEDED, QUEUE_FULL, TRANSACTION_TOO_LARGE -> ReasonCode.QUOTA_EXCEEDED;
            case UNSUPPORTED, INVALID_MESSAGE -> ReasonCode.IMPLEMENTATION_SPECIFIC_ERROR;
            default -> ReasonCode.UNSPECIFIED_ERROR;
        };
    }

    /** Why a topic filter is not taken (SUBACK, UNSUBACK). */
    static ReasonCode ofSubscribe(ErrorCode code) {
        return switch (code) {
            case FORBIDDEN -> ReasonCode.NOT_AUTHORIZED;
            case INVALID_ADDRESS -> ReasonCode.TOPIC_FILTER_INVALID;
            case LIMIT_EXCEEDED -> ReasonCode.QUOTA_EXCEEDED;
            case UNSUPPORTED -> ReasonCode.IMPLEMENTATION_SPECIFIC_ERROR;
            default -> ReasonCode.UNSPECIFIED_ERROR;
        };
    }

    /** Why the broker ends a connection (DISCONNECT). */
    static ReasonCode ofEnd(BrokerException cause) {
        return switch (cause.code()) {
            case STOPPED, CLOSED -> ReasonCode.SERVER_SHUTTING_DOWN;
            case UNAUTHENTICATED, FORBIDDEN -> ReasonCode.NOT_AUTHORIZED;
            case LIMIT_EXCEEDED -> ReasonCode.QUOTA_EXCEEDED;
            default -> ReasonCode.UNSPECIFIED_ERROR;
        };
    }

    /** The same for the peer of a WebSocket. */
    static Ending ending(ReasonCode reason) {
        return switch (reason) {
            case SERVER_SHUTTING_DOWN, SERVER_UNAVAILABLE -> Ending.STOPPING;
            case PACKET_TOO_LARGE -> Ending.TOO_LARGE;
            case MALFORMED_PACKET,
                    PROTOCOL_ERROR,
                    UNSUPPORTED_PROTOCOL_VERSION,
                    TOPIC_NAME_INVALID,
                    TOPIC_ALIAS_INVALID,
                    RECEIVE_MAXIMUM_EXCEEDED,
                    KEEP_ALIVE_TIMEOUT,
                    PAYLOAD_FORMAT_INVALID,
                    SHARED_SUBSCRIPTIONS_NOT_SUPPORTED -> Ending.FAULT;
            case UNSPECIFIED_ERROR, IMPLEMENTATION_SPECIFIC_ERROR -> Ending.FAILED;
            default -> Ending.FORBIDDEN;
        };
    }
}
