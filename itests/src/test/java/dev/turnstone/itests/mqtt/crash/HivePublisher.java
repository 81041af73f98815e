package dev.turnstone.itests.mqtt.crash;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * HiveMQ's client, which resends by itself while it lives. What it had not completed when it was killed is in doubt for
 * ever: it forgets, so that this may have come once or not at all.
 */
final class HivePublisher {
    private static final int WINDOW = 6;
    private static final long PAUSE_NANOS = 1_500_000;

    private final String name;
    private final Path stop;
    private final Diary diary;
    private final Mqtt5AsyncClient client;
    private final Semaphore window = new Semaphore(WINDOW);
    private long next;

    HivePublisher(String name, int port, Path folder) throws IOException {
        this.name = name;
        this.stop = folder.resolve("stop");
        Path file = folder.resolve("publisher-" + name);
        next = Diary.read(file).stream().filter(line -> line[0].equals("send")).count();
        diary = new Diary(file);
        client = MqttClient.builder()
                .useMqttVersion5()
                .identifier(name)
                .serverHost("127.0.0.1")
                .serverPort(port)
                .automaticReconnect()
                .initialDelay(20, TimeUnit.MILLISECONDS)
                .maxDelay(200, TimeUnit.MILLISECONDS)
                .applyAutomaticReconnect()
                .buildAsync();
    }

    void run() throws IOException {
        client.connectWith()
                .cleanStart(true)
                .sessionExpiryInterval(100_000)
                .send()
                .join();
        while (!Files.exists(stop)) {
            window.acquireUninterruptibly();
            String payload = name + "." + next++;
            note("send 0 " + payload);
            CompletionStage<Mqtt5PublishResult> sent = client.publishWith()
                    .topic(BrokerMain.FROM)
                    .qos(MqttQos.EXACTLY_ONCE)
                    .payload(payload.getBytes(StandardCharsets.UTF_8))
                    .send();
            sent.whenComplete((result, fault) ->
                    completed(payload, fault == null && result.getError().isEmpty()));
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        window.acquireUninterruptibly(WINDOW);
        client.disconnect().join();
    }

    private void completed(String payload, boolean done) {
        if (done) {
            note("done " + payload);
        }
        window.release();
    }

    private synchronized void note(String line) {
        try {
            diary.note(line);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
