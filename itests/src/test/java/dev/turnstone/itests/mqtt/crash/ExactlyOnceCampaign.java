package dev.turnstone.itests.mqtt.crash;

import dev.turnstone.testkit.transport.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs broker, publishers and subscriber, kills one of them at a random moment, again and again, and counts. */
final class ExactlyOnceCampaign implements AutoCloseable {
    private static final int LIFE_MS_MIN = 100;
    private static final int LIFE_MS_MAX = 400;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** What has not come when nothing came for so long, and everybody runs, does not come any more. */
    private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(6);

    private final Path folder;
    private final String journal;
    private final Mutants mutant;
    private final SplittableRandom random;
    private final int port;
    private Child broker;
    private Child publishers;
    private Child subscriber;

    /** Who is killed. */
    enum Victim {
        BROKER,
        PUBLISHERS,
        SUBSCRIBER
    }

    /**
     * What came of it.
     *
     * @param published messages whose publisher had to complete them
     * @param received different messages that were received
     * @param inDoubt messages whose publisher died without a memory
     */
    record Count(int published, int received, int inDoubt, Set<String> lost, Set<String> doubled) {
        boolean clean() {
            return lost.isEmpty() && doubled.isEmpty();
        }
    }

    ExactlyOnceCampaign(Path folder, String journal, Mutants mutant, long seed)
            throws IOException, InterruptedException {
        this.folder = folder;
        this.journal = journal;
        this.mutant = mutant;
        random = new SplittableRandom(seed);
        port = Ports.free();
        broker = broker();
        subscriber = subscriber();
        subscriber.awaitReady();
        publishers = publishers();
    }

    private Child broker() throws IOException, InterruptedException {
        return new Child(
                        BrokerMain.class,
                        folder.resolve("data").toString(),
                        journal,
                        Integer.toString(port),
                        mutant.name())
                .awaitReady();
    }

    private Child publishers() throws IOException {
        return new Child(PublishersMain.class, Integer.toString(port), folder.toString());
    }

    private Child subscriber() throws IOException {
        return new Child(SubscriberMain.class, Integer.toString(port), folder.toString());
    }

    /** Lets them work for a random time, and kills. */
    void kill(Victim victim) throws IOException, InterruptedException {
        publishers.awaitReady();
        subscriber.awaitReady();
        long before = received();
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (received() == before && System.nanoTime() < end) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(1_000 * LIFE_MS_MIN, 1_000 * LIFE_MS_MAX)));
        switch (victim) {
            case BROKER -> {
                broker.kill();
                broker = broker();
            }
            case PUBLISHERS -> {
                publishers.kill();
                publishers = publishers();
            }
            default -> {
                subscriber.kill();
                subscriber = subscriber();
            }
        }
    }

    private long received() throws IOException {
        return Files.size(folder.resolve(SubscriberMain.DIARY));
    }

    /** Lets all that was sent come through, and counts. */
    Count judge() throws IOException, InterruptedException {
        Files.createFile(folder.resolve("stop"));
        if (publishers.awaitEnd() != 0) {
            throw new IOException("the publishers failed; their error output says why");
        }
        Set<String> published = new TreeSet<>();
        Set<String> doubtful = new TreeSet<>();
        for (String name : PublishersMain.RAW) {
            published.addAll(noted(name, "send", 2));
        }
        for (String name : PublishersMain.HIVE) {
            published.addAll(noted(name, "done", 1));
            doubtful.addAll(noted(name, "send", 2));
        }
        doubtful.removeAll(published);
        Map<String, Integer> counts = counts();
        subscriber.awaitReady();
        long lastNanos = System.nanoTime();
        while (!counts.keySet().containsAll(published)
                && System.nanoTime() - lastNanos < STALL_NANOS
                && subscriber.isAlive()) {
            LockSupport.parkNanos(LOOK_NANOS);
            Map<String, Integer> now = counts();
            lastNanos = now.equals(counts) ? lastNanos : System.nanoTime();
            counts = now;
        }
        Set<String> lost = new TreeSet<>(published);
        lost.removeAll(counts.keySet());
        Set<String> doubled = counts.entrySet().stream()
                .filter(count -> count.getValue() > 1)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        return new Count(published.size(), counts.size(), doubtful.size(), lost, doubled);
    }

    private List<String> noted(String name, String what, int at) throws IOException {
        return Diary.read(folder.resolve("publisher-" + name)).stream()
                .filter(line -> line[0].equals(what))
                .map(line -> line[at])
                .toList();
    }

    private Map<String, Integer> counts() throws IOException {
        Map<String, Integer> counts = new HashMap<>();
        for (String[] line : Diary.read(folder.resolve(SubscriberMain.DIARY))) {
            if (line[0].equals("got")) {
                counts.merge(line[2], 1, Integer::sum);
            }
        }
        return counts;
    }

    @Override
    public void close() {
        Stream.of(publishers, subscriber, broker).forEach(Child::close);
    }
}
