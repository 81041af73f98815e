package dev.turnstone.server;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.turnstone.server.load.JmsLoad;
import dev.turnstone.server.load.Load;
import dev.turnstone.server.load.LoadPlan;
import dev.turnstone.server.load.LoadProtocol;
import dev.turnstone.server.load.LoadResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code turnstone perf}: puts load on a broker through one protocol and measures it. */
@Command(
        name = "perf",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Put load on a broker and measure it: messages a second, and how long confirmations and"
                + " deliveries take. Prints one line of JSON, and the same for people on the error stream. Exit code 1"
                + " if a message that was confirmed did not come.")
final class PerfCommand implements Callable<Integer> {
    private static final String LOOPBACK = "127.0.0.1:0";
    private static final String JMS = "jms";
    private static final List<String> OWN = List.of(JMS, "stomp", "mqtt", "openwire");
    private static final String QUEUE = "queue:";
    private static final String TOPIC = "topic:";
    private static final double[] PERCENTILES = {50, 90, 99, 99.9};
    private static final double NANOS_PER_MICRO = 1_000.0;
    private static final int CLIENTS_MAX = 10_000;
    private static final int SIZE_MAX = 64 << 20;
    private static final int SECONDS_MAX = 1_000_000;
    private static final int IN_FLIGHT_MAX = 100_000;

    @Spec
    private CommandSpec spec;

    @ArgGroup(validate = false, heading = "%nWhere:%n")
    private Where where = new Where();

    @ArgGroup(validate = false, heading = "%nWhat:%n")
    private What what = new What();

    @Mixin
    private JsonOption json = new JsonOption();

    /** A broker that listens, or one of its own. */
    static final class Where {
        @Option(
                names = "--url",
                paramLabel = "URL",
                description = "A broker that listens: stomp://HOST:PORT, mqtt://HOST:PORT, openwire://HOST:PORT"
                        + " (stomp+ssl, mqtts and openwire+ssl with TLS), or what JMS connects to. Without it: a broker"
                        + " in this process.")
        private @Nullable String url;

        @Option(
                names = "--protocol",
                paramLabel = "NAME",
                description = "Without --url: jms (in this process; the default), stomp, mqtt or openwire.")
        private @Nullable String protocol;

        @Option(
                names = "--data-in",
                paramLabel = "DIR",
                description = "Without --url: make the broker's folder there, on the disk that is to be measured; it"
                        + " is deleted at the end.")
        private @Nullable Path dataIn;

        @Option(names = "--user", paramLabel = "NAME", description = "The user; without it nobody.")
        private @Nullable String user;

        @Option(
                names = "--password-file",
                paramLabel = "FILE",
                description = "The user's password, in the file's first line; - is the standard input.")
        private @Nullable Path passwordFile;
    }

    /** The load. */
    static final class What {
        @Option(names = "--producers", paramLabel = "N", description = "How many send; 1.")
        private int producers = 1;

        @Option(names = "--consumers", paramLabel = "N", description = "How many receive; 1.")
        private int consumers = 1;

        @Option(names = "--size", paramLabel = "BYTES", description = "Of a message's body; 1024.")
        private int size = 1_024;

        @Option(
                names = "--persistent",
                negatable = true,
                defaultValue = "true",
                fallbackValue = "true",
                description = "Whether messages survive a crash; they do, without --no-persistent (in MQTT: QoS 0).")
        private boolean persistent = true;

        @Option(
                names = "--in-flight",
                paramLabel = "N",
                description = "Messages of a producer that may wait for their confirmation, and the size of JMS"
                        + " transactions; 1.")
        private int inFlight = 1;

        @Option(
                names = "--ack",
                paramLabel = "MODE",
                description =
                        "How consumers acknowledge. JMS and OpenWire: auto, dups-ok, client, transacted; STOMP: auto,"
                                + " client, client-individual; MQTT: qos1, qos0, qos2. The first is the default.")
        private @Nullable String ack;

        @Option(
                names = "--destination",
                paramLabel = "KIND:NAME",
                description = "queue:NAME or topic:NAME; queue:perf, and topic:perf in MQTT.")
        private @Nullable String destination;

        @Option(names = "--warm-up", paramLabel = "SECONDS", description = "Before anything counts; 3.")
        private double warmUp = 3;

        @Option(names = "--duration", paramLabel = "SECONDS", description = "How long it is measured; 10.")
        private double duration = 10;
    }

    @Override
    public Integer call() throws IOException {
        if (where.url == null) {
            return ownBroker(where.protocol == null ? JMS : where.protocol);
        }
        check(where.protocol == null && where.dataIn == null, "--protocol and --data-in go without --url");
        String protocol = PerfTarget.protocol(where.url);
        String password = PasswordInput.ofUser(where.user, where.passwordFile, spec.commandLine());
        return run(protocol, PerfTarget.load(where.url, where.user, password));
    }

    private int ownBroker(String protocol) throws IOException {
        check(OWN.contains(protocol), "--protocol " + protocol + ": one of " + String.join(", ", OWN));
        check(where.user == null, "--user goes with --url: a broker of perf's own has no users");
        String[] listeners = protocol.equals(JMS) ? new String[0] : new String[] {protocol + "=" + LOOPBACK};
        try (ScratchBroker scratch = ScratchBroker.start(where.dataIn, listeners)) {
            Turnstone broker = scratch.broker();
            if (protocol.equals(JMS)) {
                return run(protocol, new JmsLoad(broker.connectionFactory()));
            }
            String url = protocol + "://127.0.0.1:" + broker.listeners().get(0).port();
            return run(protocol, PerfTarget.load(url, null, null));
        }
    }

    private int run(String protocol, LoadProtocol load) {
        LoadPlan plan = plan(protocol, load);
        PrintWriter err = spec.commandLine().getErr();
        if (!json.wanted()) {
            err.println(plan.producers() + " producers and " + plan.consumers() + " consumers of "
                    + (plan.topic() ? "topic " : "queue ") + plan.destination() + " through " + protocol + ", "
                    + plan.sizeBytes() + " bytes, " + (plan.persistent() ? "" : "not ") + "persistent, "
                    + plan.inFlight() + " in flight, " + plan.acknowledge() + ": " + what.warmUp + " s to warm up, "
                    + what.duration + " s measured");
        }
        LoadResult result;
        try {
            result = new Load(load, plan).run();
        } catch (IOException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
        spec.commandLine().getOut().println(line(protocol, plan, result));
        if (!json.wanted()) {
            say(err, result);
        }
        return result.missing() == 0 ? 0 : Main.FAILED;
    }

    private LoadPlan plan(String protocol, LoadProtocol load) {
        check(what.producers >= 0 && what.consumers >= 0, "--producers and --consumers are at least 0");
        check(what.producers + what.consumers > 0, "nobody sends and nobody receives");
        check(what.producers <= CLIENTS_MAX && what.consumers <= CLIENTS_MAX, "more than " + CLIENTS_MAX + " clients");
        check(
                what.size >= LoadPlan.SIZE_MIN && what.size <= SIZE_MAX,
                "--size is " + LoadPlan.SIZE_MIN + " to " + SIZE_MAX);
        check(what.inFlight >= 1 && what.inFlight <= IN_FLIGHT_MAX, "--in-flight is 1 to " + IN_FLIGHT_MAX);
        check(what.warmUp >= 0 && what.warmUp <= SECONDS_MAX, "--warm-up is 0 to " + SECONDS_MAX);
        check(what.duration > 0 && what.duration <= SECONDS_MAX, "--duration is more than 0, up to " + SECONDS_MAX);
        List<String> modes = load.acknowledgeModes();
        String ack = what.ack == null ? modes.get(0) : what.ack;
        check(modes.contains(ack), "--ack " + ack + ": in " + protocol + " one of " + String.join(", ", modes));
        boolean queueless = protocol.equals("mqtt");
        String destination = what.destination == null ? queueless ? "topic:perf" : "queue:perf" : what.destination;
        boolean topic = destination.startsWith(TOPIC);
        check(topic || destination.startsWith(QUEUE), "--destination " + destination + ": queue:NAME or topic:NAME");
        String name = destination.substring(topic ? TOPIC.length() : QUEUE.length());
        check(!name.isEmpty(), "--destination " + destination + ": it has no name");
        LoadPlan plan = new LoadPlan(
                what.producers,
                what.consumers,
                what.size,
                what.persistent,
                what.inFlight,
                ack,
                topic,
                name,
                seconds(what.warmUp),
                seconds(what.duration));
        check(load.refusal(plan).isEmpty(), load.refusal(plan));
        return plan;
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.max(1, Math.round(1_000 * seconds)));
    }

    private void check(boolean right, String wrong) {
        if (!right) {
            throw new ParameterException(spec.commandLine(), wrong);
        }
    }

    private static String line(String protocol, LoadPlan plan, LoadResult result) {
        return Json.text(writer -> {
            writer.writeStartObject();
            writer.writeStringField("protocol", protocol);
            writer.writeNumberField("producers", plan.producers());
            writer.writeNumberField("consumers", plan.consumers());
            writer.writeNumberField("sizeBytes", plan.sizeBytes());
            writer.writeBooleanField("persistent", plan.persistent());
            writer.writeNumberField("inFlight", plan.inFlight());
            writer.writeStringField("acknowledge", plan.acknowledge());
            writer.writeStringField("destination", (plan.topic() ? TOPIC : QUEUE) + plan.destination());
            writer.writeNumberField("warmUpMs", plan.warmUp().toMillis());
            writer.writeNumberField("durationMs", result.millis());
            writer.writeNumberField("sent", result.sent());
            writer.writeNumberField("received", result.received());
            writer.writeNumberField("sentPerSecond", perSecond(result.sent(), result));
            writer.writeNumberField("receivedPerSecond", perSecond(result.received(), result));
            writer.writeNumberField("missing", result.missing());
            percentiles(writer, "confirmMicros", result.confirm());
            percentiles(writer, "deliveryMicros", result.delivery());
            writer.writeEndObject();
        });
    }

    private static void percentiles(JsonGenerator writer, String name, Histogram nanos) throws IOException {
        writer.writeObjectFieldStart(name);
        writer.writeNumberField("count", nanos.getTotalCount());
        for (double percentile : PERCENTILES) {
            writer.writeNumberField(name(percentile), Math.round(micros(nanos, percentile)));
        }
        writer.writeNumberField("max", Math.round(nanos.getMaxValue() / NANOS_PER_MICRO));
        writer.writeEndObject();
    }

    /** 99.9 is p999. */
    private static String name(double percentile) {
        return "p"
                + String.format(Locale.ROOT, "%s", percentile).replace(".0", "").replace(".", "");
    }

    private static double micros(Histogram nanos, double percentile) {
        return nanos.getTotalCount() == 0 ? 0 : nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    private static long perSecond(long count, LoadResult result) {
        return Math.round(count * 1_000.0 / Math.max(1, result.millis()));
    }

    private static void say(PrintWriter err, LoadResult result) {
        err.printf(
                Locale.ROOT,
                "sent %d a second, received %d a second%n",
                perSecond(result.sent(), result),
                perSecond(result.received(), result));
        say(err, "confirmed after", result.confirm());
        say(err, "delivered after", result.delivery());
        if (result.missing() > 0) {
            err.println(result.missing() + " messages that were confirmed have not come");
        }
    }

    private static void say(PrintWriter err, String what, Histogram nanos) {
        if (nanos.getTotalCount() > 0) {
            StringBuilder line = new StringBuilder(what);
            for (double percentile : PERCENTILES) {
                line.append(String.format(Locale.ROOT, " %s %.0f µs", name(percentile), micros(nanos, percentile)));
            }
            err.printf(Locale.ROOT, "%s, at most %.0f µs%n", line, nanos.getMaxValue() / NANOS_PER_MICRO);
        }
    }
}
