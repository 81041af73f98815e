package dev.turnstone.demo;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PayloadFormatIndicator;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A publisher and a subscriber of QoS 2 with HiveMQ's client, which keeps their sessions while the broker is away and
 * connects again by itself.
 */
final class MqttClients implements AutoCloseable {
    private static final int WINDOW = 10;
    private static final long CLOSE_S = 5;
    private static final long SESSION_S = 100_000;

    private final Mqtt5AsyncClient publisher;
    private final Mqtt5AsyncClient subscriber;
    private final Semaphore window = new Semaphore(WINDOW);
    private final AtomicInteger confirmed = new AtomicInteger();

    MqttClients(int port) {
        publisher = client("demo-publisher", port);
        subscriber = client("demo-subscriber", port);
    }

    private static Mqtt5AsyncClient client(String name, int port) {
        return MqttClient.builder()
                .useMqttVersion5()
                .identifier(name)
                .serverHost("127.0.0.1")
                .serverPort(port)
                .automaticReconnect()
                .initialDelay(50, TimeUnit.MILLISECONDS)
                .maxDelay(300, TimeUnit.MILLISECONDS)
                .applyAutomaticReconnect()
                .buildAsync();
    }

    /** Connects both, and subscribes. */
    void connect(Tally tally) {
        for (Mqtt5AsyncClient client : new Mqtt5AsyncClient[] {publisher, subscriber}) {
            client.connectWith()
                    .cleanStart(false)
                    .sessionExpiryInterval(SESSION_S)
                    .send()
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
        }
        subscriber
                .subscribeWith()
                .topicFilter(Doors.RESULTS_MQTT)
                .qos(MqttQos.EXACTLY_ONCE)
                // QoS 2: whatever comes twice is one too many.
                .callback(publish -> tally.got(
                        Integer.parseInt(new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8)), false))
                .send()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    /** Publishes one reading; waits while too many are under way. */
    void publish(int id) throws InterruptedException {
        window.acquire();
        CompletionStage<?> sent = publisher
                .publishWith()
                .topic(Doors.READINGS_MQTT)
                .qos(MqttQos.EXACTLY_ONCE)
                // So that it is a text for the worker.
                .payloadFormatIndicator(Mqtt5PayloadFormatIndicator.UTF_8)
                .payload(Integer.toString(id).getBytes(StandardCharsets.UTF_8))
                .send();
        sent.whenComplete((result, failure) -> {
            if (failure == null) {
                confirmed.incrementAndGet();
            }
            window.release();
        });
    }

    /** How many the broker has confirmed. */
    int confirmed() {
        return confirmed.get();
    }

    @Override
    public void close() {
        for (Mqtt5AsyncClient client : new Mqtt5AsyncClient[] {publisher, subscriber}) {
            client.disconnect()
                    .orTimeout(CLOSE_S, TimeUnit.SECONDS)
                    .exceptionally(failure -> null)
                    .join();
        }
    }
}
