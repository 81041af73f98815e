package dev.turnstone.demo;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** One run of the demo: readings in, results out, and kills in between. One thread. */
final class DoorsRun {
    private static final int KILL_AFTER_MIN_MS = 300;
    private static final int KILL_AFTER_MAX_MS = 2_000;
    private static final long QUIET_MS = 1_500;
    private static final long STEP_MS = 100;
    private static final int PORT_MIN = 10_000;
    private static final int PORT_MAX = 32_000;

    private final Settings settings;
    private final Random random;
    private final Consumer<String> progress;
    private final Tally stomp = new Tally();
    private final Tally mqtt = new Tally();
    private final Tally openWire = new Tally();

    /**
     * What to do.
     *
     * @param main the class of the process that is killed
     * @param folder where its data goes
     * @param journal the journal provider's name
     * @param readings how many readings at least; while there are kills to come, more follow
     * @param kills how many kills
     * @param patienceS for how long nothing may happen before what is missing counts as lost
     * @param seed draws the same moments again
     */
    record Settings(String main, Path folder, String journal, int readings, int kills, int patienceS, long seed) {}

    /** What one receiver has got, by its door's name. */
    record Received(String door, int count, int lost, int doubled, int again) {}

    /**
     * What came of it.
     *
     * @param sent readings that the broker has confirmed
     * @param stored readings in the database
     * @param storedTwice rows too many
     * @param inDoubt branches and log entries that are left
     */
    record Outcome(int sent, int stored, int storedTwice, int inDoubt, List<Received> received) {
        int lost() {
            return (sent - stored) + received.stream().mapToInt(Received::lost).sum();
        }

        int doubled() {
            return storedTwice + received.stream().mapToInt(Received::doubled).sum();
        }

        boolean clean() {
            return lost() == 0 && doubled() == 0 && inDoubt == 0;
        }
    }

    DoorsRun(Settings settings, Consumer<String> progress) {
        this.settings = settings;
        this.random = new Random(settings.seed());
        this.progress = progress;
    }

    /** Below those that the system gives to whoever asks for any port: while the broker is gone, nobody gets it. */
    private static int freePort() throws IOException {
        IOException last = new IOException("no port was tried");
        for (int port = ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_MAX); port < PORT_MAX; port++) {
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException e) {
                // Somebody has it; so the next.
                last = e;
            }
        }
        throw last;
    }

    Outcome run() throws IOException, InterruptedException {
        WorkerProcess.Start start = new WorkerProcess.Start(
                settings.main(), settings.folder(), settings.journal(), freePort(), freePort(), freePort());
        WorkerProcess worker = WorkerProcess.start(start);
        try (MqttClients clients = new MqttClients(start.mqttPort());
                StompReceiver receiver = new StompReceiver(start.stompPort(), stomp);
                OpenWireReceiver other = new OpenWireReceiver(start.openWirePort(), openWire)) {
            receiver.awaitReady();
            other.awaitReady();
            clients.connect(mqtt);
            Feed feed = new Feed(clients, settings.readings(), stomp);
            for (int kill = 1; kill <= settings.kills(); kill++) {
                rest(KILL_AFTER_MIN_MS + random.nextInt(KILL_AFTER_MAX_MS - KILL_AFTER_MIN_MS));
                worker.kill();
                report(kill, feed);
                worker = WorkerProcess.start(start);
            }
            feed.finish();
            int sent = settle(worker, feed);
            return outcome(sent, worker.count());
        } finally {
            worker.close();
        }
    }

    private void report(int kill, Feed feed) {
        progress.accept("kill " + kill + " of " + settings.kills() + ": " + feed.sent() + " readings, "
                + stomp.count() + " results by STOMP, " + openWire.count() + " by OpenWire, " + mqtt.count()
                + " by MQTT");
    }

    private Outcome outcome(int sent, int[] counted) {
        List<Received> received = List.of(
                received("STOMP", stomp, sent),
                received("OpenWire", openWire, sent),
                received("MQTT QoS 2", mqtt, sent));
        return new Outcome(sent, counted[0], counted[1], counted[2], received);
    }

    private static boolean arrived(Tally tally, Feed feed) {
        return tally.count() == feed.sent();
    }

    private static void rest(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static Received received(String door, Tally tally, int sent) {
        return new Received(door, tally.count(), sent - tally.count(), tally.doubled(), tally.again());
    }

    /**
     * Waits until all is there and nothing is in doubt, and then for what may be one too many; or until nothing has
     * happened for so long that nothing will.
     */
    private int settle(WorkerProcess worker, Feed feed) throws IOException, InterruptedException {
        List<Integer> before = List.of();
        long changed = System.nanoTime();
        while (System.nanoTime() - changed < TimeUnit.SECONDS.toNanos(settings.patienceS())) {
            int[] counted = worker.count();
            boolean arrived = feed.done() && arrived(stomp, feed) && arrived(openWire, feed) && arrived(mqtt, feed);
            if (arrived && counted[0] == feed.sent() && counted[2] == 0) {
                break;
            }
            List<Integer> now = List.of(
                    feed.sent(), counted[0], counted[1], counted[2], stomp.count(), openWire.count(), mqtt.count());
            if (!now.equals(before)) {
                before = now;
                changed = System.nanoTime();
            }
            rest(STEP_MS);
        }
        rest(QUIET_MS);
        return feed.sent();
    }
}
