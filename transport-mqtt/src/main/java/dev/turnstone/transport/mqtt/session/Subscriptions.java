package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Session;
import dev.turnstone.port.SubscriptionFilter;
import dev.turnstone.port.SubscriptionFilter.Retained;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.transport.mqtt.codec.MqttException;
import dev.turnstone.transport.mqtt.codec.Packet;
import dev.turnstone.transport.mqtt.codec.ReasonCode;
import dev.turnstone.transport.mqtt.codec.Version;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** SUBSCRIBE and UNSUBSCRIBE: the filters of the session's queue. On the event loop only. */
final class Subscriptions {
    private static final String SHARED = "$share/";

    private final Session session;
    private final MqttWriter writer;
    private final SubscriptionName queue;
    private final Version version;

    Subscriptions(Session session, MqttWriter writer, SubscriptionName queue, Version version) {
        this.session = session;
        this.writer = writer;
        this.queue = queue;
        this.version = version;
    }

    /**
     * SUBSCRIBE: each filter by itself, one answer for all.
     *
     * @throws MqttException if a filter is none, which makes the packet one that must not be sent
     */
    void subscribe(Packet.Subscribe subscribe) {
        List<Integer> ids = subscribe.properties().subscriptionIds();
        int subscriptionId = ids.isEmpty() ? 0 : ids.get(0);
        List<Packet.Filter> filters = subscribe.filters();
        filters.forEach(this::check);
        List<ReasonCode> reasons = new ArrayList<>(Collections.nCopies(filters.size(), ReasonCode.SUCCESS));
        for (int i = 0; i < filters.size(); i++) {
            int at = i;
            ReasonCode granted = granted(filters.get(i).qos());
            Answer answer = new Answer(reasons, at, granted, () -> {
                if (at == filters.size() - 1) {
                    writer.suback(subscribe.packetId(), reasons);
                }
            });
            try {
                session.changeQueue(new QueueChange.AddFilter(queue, filter(filters.get(i), subscriptionId)), answer);
            } catch (BrokerException refusal) {
                refuse(refusal, answer);
            }
        }
    }

    /** A refusal from before the broker takes its turn behind the answers that are still to come. */
    private void refuse(BrokerException refusal, Answer answer) {
        session.sync(new Completion() {
            @Override
            public void done() {
                answer.failed(refusal);
            }

            @Override
            public void failed(BrokerException cause) {
                answer.failed(cause);
            }
        });
    }

    private void check(Packet.Filter filter) {
        String text = filter.filter();
        if (text.startsWith(SHARED) && version == Version.V5) {
            checkShared(filter);
        }
        Topics.check(text);
    }

    /** There are none, as CONNACK says; but what is wrong with them otherwise is said first. */
    private static void checkShared(Packet.Filter filter) {
        String rest = filter.filter().substring(SHARED.length());
        int slash = rest.indexOf('/');
        String name = slash < 0 ? rest : rest.substring(0, slash);
        if (slash < 1 || slash == rest.length() - 1 || name.indexOf('+') >= 0 || name.indexOf('#') >= 0) {
            throw new MqttException(
                    ReasonCode.MALFORMED_PACKET, "'" + filter.filter() + "' is no shared subscription"); // MQTT-4.8.2-1
        }
        if (filter.noLocal()) {
            throw MqttException.protocolError("a shared subscription with no-local"); // MQTT-3.8.3-4
        }
        throw new MqttException(
                ReasonCode.SHARED_SUBSCRIPTIONS_NOT_SUPPORTED, "shared subscriptions are not available here");
    }

    private static SubscriptionFilter filter(Packet.Filter filter, int subscriptionId) {
        if (filter.filter().startsWith(SHARED)) {
            throw new BrokerException(ErrorCode.UNSUPPORTED, "shared subscriptions are not available here");
        }
        Retained retained = switch (filter.retainHandling()) {
            case 0 -> Retained.ALWAYS;
            case 1 -> Retained.IF_NEW;
            default -> Retained.NEVER;
        };
        return new SubscriptionFilter(
                Topics.filter(filter.filter()),
                null,
                filter.noLocal(),
                FilterOptions.encode(filter, subscriptionId),
                retained);
    }

    private static ReasonCode granted(int qos) {
        return switch (qos) {
            case 0 -> ReasonCode.SUCCESS;
            case 1 -> ReasonCode.GRANTED_QOS_1;
            default -> ReasonCode.GRANTED_QOS_2;
        };
    }

    /** UNSUBSCRIBE: each filter by itself, one answer for all. */
    void unsubscribe(Packet.Unsubscribe unsubscribe) {
        List<String> filters = unsubscribe.filters();
        filters.forEach(Topics::check);
        List<ReasonCode> reasons = new ArrayList<>(Collections.nCopies(filters.size(), ReasonCode.SUCCESS));
        for (int i = 0; i < filters.size(); i++) {
            int at = i;
            Answer answer = new Answer(reasons, at, ReasonCode.SUCCESS, () -> {
                if (at == filters.size() - 1) {
                    writer.unsuback(unsubscribe.packetId(), reasons);
                }
            });
            try {
                session.changeQueue(new QueueChange.RemoveFilter(queue, Topics.filter(filters.get(i))), answer);
            } catch (BrokerException refusal) {
                refuse(refusal, answer);
            }
        }
    }

    /** The outcome for one filter. */
    private record Answer(List<ReasonCode> reasons, int at, ReasonCode granted, Runnable then) implements Completion {
        @Override
        public void done() {
            reasons.set(at, granted);
            then.run();
        }

        @Override
        public void failed(BrokerException cause) {
            ReasonCode none = cause.code() == ErrorCode.NO_SUCH_SUBSCRIPTION
                    ? ReasonCode.NO_SUBSCRIPTION_EXISTED
                    : Reasons.ofSubscribe(cause.code());
            reasons.set(at, none);
            then.run();
        }
    }
}
