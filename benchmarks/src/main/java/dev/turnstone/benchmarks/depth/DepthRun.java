package dev.turnstone.benchmarks.depth;

import dev.turnstone.benchmarks.idle.IdleClients;
import dev.turnstone.benchmarks.idle.IdleCost;
import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.port.Address;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Fills a broker in this JVM beyond its memory and empties it again. Arguments: what (queue, queues, topic or delayed;
 * fill and drain are the halves of queue, for two JVMs with different heaps on one folder; once and state are
 * {@link OnceRun}'s; idle is {@link IdleCost}'s), how many messages, keys or connections, how many queues,
 * subscriptions or rounds (1), for idle one of {@link IdleClients} (all), folder (a temporary one; it is deleted but
 * after fill).
 */
public final class DepthRun {
    private static final int BODY_BYTES = 1024;
    private static final int SAMPLE = 100_000;

    private final Path folder;
    private final int messages;
    private final int holders;
    private final byte[] body = new byte[BODY_BYTES];
    private final PrintStream out;

    private DepthRun(Path folder, int messages, int holders, PrintStream out) {
        this.folder = folder;
        this.messages = messages;
        this.holders = holders;
        this.out = out;
        new Random(1).nextBytes(body);
    }

    /** Runs it; see the class. */
    public static void main(String[] args) throws IOException, InterruptedException {
        boolean idle = args[0].equals("idle");
        int holders = args.length > 2 && !idle ? Integer.parseInt(args[2]) : 1;
        Path folder =
                args.length > 3 ? Files.createDirectories(Path.of(args[3])) : Files.createTempDirectory("depth-run");
        try {
            DepthRun run = new DepthRun(folder, Integer.parseInt(args[1]), holders, System.out);
            switch (args[0]) {
                case "queue" -> run.queue();
                case "queues" -> run.queues();
                case "topic" -> run.topic();
                case "delayed" -> run.delayed();
                case "fill" -> run.fill(Address.queue("deep"), 0);
                case "drain" -> run.drain(Address.queue("deep"), 0);
                case "once" -> new OnceRun(folder, run.out).identities(Integer.parseInt(args[1]), holders);
                case "state" -> new OnceRun(folder, run.out).state(Integer.parseInt(args[1]));
                case "selector" -> new FlatCost(run.out).selector(Integer.parseInt(args[1]));
                case "metrics" -> new MetricsCost(run.out).run(Integer.parseInt(args[1]));
                case "idle" -> idle(run.out, args, folder);
                case "scheduled" -> new FlatCost(run.out).delayed(Integer.parseInt(args[1]));
                default ->
                    throw new IllegalArgumentException(
                            "one of queue, queues, topic, delayed, fill, drain, once, state, selector, scheduled,"
                                    + " metrics, idle");
            }
        } finally {
            if (!args[0].equals("fill")) {
                delete(folder);
            }
        }
    }

    private static void idle(PrintStream out, String[] args, Path folder) throws IOException {
        List<IdleClients> kinds =
                args.length > 2 ? List.of(IdleClients.valueOf(args[2])) : List.of(IdleClients.values());
        for (IdleClients clients : kinds) {
            new IdleCost(out).run(clients, Integer.parseInt(args[1]), folder.resolve(clients.name()));
        }
    }

    private void queue() throws InterruptedException {
        Address queue = Address.queue("deep");
        int sample = Math.min(SAMPLE, messages / 2);
        measureEmpty(queue, sample);
        fill(queue, sample);
        drain(queue, sample);
    }

    // Each broker has a method of its own, or what is left of it on the stack stays in the next one's heap.

    private void measureEmpty(Address queue, int sample) throws InterruptedException {
        try (EmbeddedBroker broker = start()) {
            Client empty = new Client(broker.broker(), null);
            double sent = empty.send(i -> queue, sample, body, 0);
            Client consumer = consumer(broker, queue);
            say("at depth 0: sends %,.0f/s, receives %,.0f/s", sent, consumer.receive(sample));
        }
    }

    private void fill(Address queue, int sample) throws InterruptedException {
        try (EmbeddedBroker broker = start()) {
            Client producer = new Client(broker.broker(), null);
            say("fill: %,.0f/s", producer.send(i -> queue, messages, body, 0));
            if (sample > 0) {
                say("at depth %,d: sends %,.0f/s", messages, producer.send(i -> queue, sample, body, 0));
            }
        }
    }

    private void drain(Address queue, int sample) throws InterruptedException {
        try (EmbeddedBroker broker = start()) {
            long start = System.nanoTime();
            Client consumer = consumer(broker, queue);
            consumer.receive(1);
            say("first delivery after %.2f s", Client.seconds(start));
            if (sample > 0) {
                say("at depth %,d: receives %,.0f/s", messages, consumer.receive(sample));
            }
            say("drain: %,.0f/s", consumer.receive(messages - 1L));
        }
    }

    private static Client consumer(EmbeddedBroker broker, Address queue) {
        Client consumer = new Client(broker.broker(), null);
        consumer.subscribe(Subscribe.to(1, queue), 1_000);
        return consumer;
    }

    private void queues() throws InterruptedException {
        fillQueues();
        emptyQueues();
    }

    private void fillQueues() throws InterruptedException {
        try (EmbeddedBroker broker = start()) {
            Client producer = new Client(broker.broker(), null);
            say("fill: %,.0f/s", producer.send(i -> Address.queue("q" + i % holders), messages, body, 0));
        }
    }

    private void emptyQueues() throws InterruptedException {
        try (EmbeddedBroker broker = start()) {
            long start = System.nanoTime();
            Client first = new Client(broker.broker(), null);
            int some = Math.min(holders, 1_000);
            for (int i = 0; i < some; i++) {
                first.subscribe(Subscribe.to(i + 1, Address.queue("q" + i)), messages / holders);
            }
            first.receive((long) some * (messages / holders));
            say("%d queues emptied in %.2f s", some, Client.seconds(start));
        }
    }

    private void topic() throws InterruptedException {
        Address topic = Address.topic("news");
        fillTopic(topic);
        comeBack(topic);
    }

    private void fillTopic(Address topic) throws InterruptedException {
        try (EmbeddedBroker broker = start()) {
            for (int i = 1; i < holders; i++) {
                Client offline = new Client(broker.broker(), "offline" + i);
                offline.subscribe(durable(topic, i), 0);
                offline.confirmed();
                offline.close();
            }
            Client online = new Client(broker.broker(), "online");
            online.subscribe(durable(topic, 0), 1_000);
            online.confirmed();
            Client producer = new Client(broker.broker(), null);
            int part = Math.max(1, messages / 10);
            for (int sent = 0; sent < messages; sent += part) {
                double rate = producer.send(i -> topic, part, body, 0);
                say("%,d sent, %,.0f/s; the one who listens receives %,.0f/s", sent, rate, online.receive(part));
            }
        }
    }

    private void comeBack(Address topic) throws InterruptedException {
        try (EmbeddedBroker broker = start()) {
            long start = System.nanoTime();
            Client back = new Client(broker.broker(), "offline1");
            back.subscribe(durable(topic, 1), 1_000);
            back.receive(1);
            say("one who was away: first delivery after %.2f s", Client.seconds(start));
            say("receives %,.0f/s", back.receive(messages - 1L));
        }
    }

    private static Subscribe durable(Address topic, int number) {
        String client = number == 0 ? "online" : "offline" + number;
        return new Subscribe(1, topic, new SubscriptionName(client, "s"), null, false);
    }

    private void delayed() throws InterruptedException {
        Address queue = Address.queue("later");
        try (EmbeddedBroker broker = start()) {
            Client producer = new Client(broker.broker(), null);
            long due = System.currentTimeMillis() + 60_000;
            say("fill: %,.0f/s", producer.send(i -> queue, messages, body, due));
            Client consumer = consumer(broker, queue);
            consumer.receive(1);
            say("first %d ms after it was due", System.currentTimeMillis() - due);
            say("receives %,.0f/s", consumer.receive(messages - 1L));
        }
    }

    private EmbeddedBroker start() {
        long start = System.nanoTime();
        EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(folder));
        say("started in %.2f s", Client.seconds(start));
        return broker;
    }

    private void say(String format, Object... values) {
        Runtime runtime = Runtime.getRuntime();
        out.printf(
                Locale.ROOT,
                format + " (heap %d of %d MiB)%n",
                append(values, (runtime.totalMemory() - runtime.freeMemory()) >> 20, runtime.maxMemory() >> 20));
    }

    private static Object[] append(Object[] values, Object... more) {
        return Stream.concat(Stream.of(values), Stream.of(more)).toArray();
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
