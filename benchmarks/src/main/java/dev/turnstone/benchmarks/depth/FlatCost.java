package dev.turnstone.benchmarks.depth;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.port.Address;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Subscribe;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * What it costs to send and receive one message in a queue that holds many others which its consumer does not get:
 * since its selector does not match them, or since they are delayed. Messages that come and go are not persistent: the
 * disk is not what is measured.
 */
final class FlatCost {
    private static final Address QUEUE = Address.queue("q");
    private static final String SELECTOR = "wanted = TRUE";
    private static final int WARM_UP = 2_000;
    private static final int ROUNDS = 4_000;
    private static final int BODY_BYTES = 100;
    private static final long DELAY_MS = 20;
    private static final int DELAYED_ROUNDS = 200;

    private final PrintStream out;
    private final byte[] body = new byte[BODY_BYTES];

    FlatCost(PrintStream out) {
        this.out = out;
    }

    void selector(int others) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("flat-cost");
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(folder))) {
            Client client = filled(broker, others, 0);
            long start = System.nanoTime();
            client.subscribe(new Subscribe(1, QUEUE, null, SELECTOR, false), 1);
            Message wanted = MessageBuilder.to(QUEUE)
                    .persistent(false)
                    .property("wanted", true)
                    .bytes(body)
                    .build();
            client.roundTrip(wanted);
            double first = Client.seconds(start) * 1e3;
            double mean = roundTrips(client, wanted);
            say(
                    "%,9d that do not match: first after %,.1f ms, then %.0f µs for send and receive, %.0f µs with a"
                            + " new consumer each time",
                    others, first, mean, anew(client, wanted));
        } finally {
            DepthRun.delete(folder);
        }
    }

    /** The mean with a consumer that comes for one message, in microseconds. */
    private static double anew(Client client, Message message) throws InterruptedException {
        long start = System.nanoTime();
        for (int i = 1; i <= ROUNDS; i++) {
            client.unsubscribe(i);
            client.subscribe(new Subscribe(i + 1, QUEUE, null, SELECTOR, false), 1);
            client.roundTrip(message);
        }
        return Client.seconds(start) * 1e6 / ROUNDS;
    }

    void delayed(int others) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("flat-cost");
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(folder))) {
            Client client = filled(broker, others, System.currentTimeMillis() + 3_600_000);
            client.subscribe(Subscribe.to(1, QUEUE), 1);
            double mean = roundTrips(
                    client,
                    MessageBuilder.to(QUEUE).persistent(false).bytes(body).build());
            long[] late = new long[DELAYED_ROUNDS];
            for (int i = 0; i < DELAYED_ROUNDS; i++) {
                long due = System.currentTimeMillis() + DELAY_MS;
                client.roundTrip(MessageBuilder.to(QUEUE)
                        .persistent(false)
                        .deliveryTimeMs(due)
                        .bytes(body)
                        .build());
                late[i] = System.currentTimeMillis() - due;
            }
            Arrays.sort(late);
            say(
                    "%,9d that are delayed: %.0f µs for send and receive; a delay of %d ms ends %d ms late, at most %d",
                    others, mean, DELAY_MS, late[DELAYED_ROUNDS / 2], late[DELAYED_ROUNDS - 1]);
        } finally {
            DepthRun.delete(folder);
        }
    }

    private Client filled(EmbeddedBroker broker, int others, long deliveryTimeMs) throws InterruptedException {
        Client client = new Client(broker.broker(), null);
        client.send(i -> QUEUE, others, body, deliveryTimeMs);
        return client;
    }

    /** The mean of one, in microseconds. */
    private static double roundTrips(Client client, Message message) throws InterruptedException {
        long start = 0;
        for (int i = 0; i < WARM_UP + ROUNDS; i++) {
            if (i == WARM_UP) {
                start = System.nanoTime();
            }
            client.roundTrip(message);
        }
        return Client.seconds(start) * 1e6 / ROUNDS;
    }

    private void say(String format, Object... values) {
        out.printf(Locale.ROOT, format + "%n", values);
    }
}
