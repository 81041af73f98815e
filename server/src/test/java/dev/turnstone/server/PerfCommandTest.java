package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.turnstone.spi.Listener;
import dev.turnstone.testkit.transport.Ports;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Load through every protocol, as the command line puts it on. */
final class PerfCommandTest {
    @TempDir
    Path folder;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    private int run(String arguments) {
        return main("perf " + arguments);
    }

    private int main(String arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments.split(" "));
    }

    private Map<String, Object> line() throws ParseException {
        assertThat(out.toString()).hasLineCount(1);
        return JSONObjectUtils.parse(out.toString());
    }

    private static long number(Map<String, Object> line, String name) {
        return ((Number) line.get(name)).longValue();
    }

    @ParameterizedTest
    @CsvSource({
        "jms, auto, queue:a, 1",
        "jms, dups-ok, topic:a, 10",
        "jms, client, queue:a, 10",
        "jms, transacted, queue:a, 10",
        "stomp, auto, queue:a, 1",
        "stomp, client-individual, topic:a.b, 10",
        "mqtt, qos0, topic:a.b, 1",
        "mqtt, qos1, topic:a, 10",
        "mqtt, qos2, topic:a, 10",
        "openwire, auto, queue:a, 1",
        "openwire, client, topic:a.b, 10",
        "openwire, transacted, queue:a, 10"
    })
    void putsOnTheLoadAndMeasuresIt(String protocol, String ack, String destination, String inFlight)
            throws ParseException {
        int code = run("--protocol " + protocol + " --ack " + ack + " --destination " + destination + " --in-flight "
                + inFlight + " --producers 2 --consumers 2 --size 100 --warm-up 0 --duration 0.3 --json");
        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        Map<String, Object> line = line();
        assertThat(line)
                .containsEntry("protocol", protocol)
                .containsEntry("acknowledge", ack)
                .containsEntry("destination", destination)
                .containsEntry("persistent", true);
        assertThat(number(line, "missing")).isZero();
        assertThat(number(line, "sent")).isPositive();
        assertThat(number(line, "received")).isPositive();
        assertThat(number(line, "durationMs")).isBetween(300L, 20_000L);
        figuresOf(line, "confirmMicros");
        figuresOf(line, "deliveryMicros");
    }

    private static void figuresOf(Map<String, Object> line, String histogram) {
        @SuppressWarnings("unchecked")
        Map<String, Object> figures = (Map<String, Object>) line.get(histogram);
        assertThat(number(figures, "count")).isPositive();
        assertThat(number(figures, "p50")).isPositive().isLessThanOrEqualTo(number(figures, "p99"));
        assertThat(number(figures, "p999")).isLessThanOrEqualTo(number(figures, "max"));
    }

    @Test
    void whatNeedNotSurviveIsSentSo() throws ParseException {
        for (String protocol : List.of("jms", "stomp", "mqtt", "openwire")) {
            assertThat(run("--protocol " + protocol + " --no-persistent --warm-up 0 --duration 0.3"))
                    .isZero();
            assertThat(line()).containsEntry("persistent", false);
            assertThat(err.toString()).contains("not persistent", "a second", "confirmed after p50");
        }
    }

    private Path configuration(Path password) throws IOException {
        Path yaml = folder.resolve("t.yaml");
        Files.writeString(password, "a secret of hers\n");
        Files.writeString(yaml, """
                data: %1$s/data
                listen: ["stomp=127.0.0.1:0", "mqtt=127.0.0.1:0", "openwire=127.0.0.1:0"]
                security:
                  users: %1$s/users
                  permissions:
                    - {role: "*", allow: [send, consume, browse, create], address: ">"}
                """.formatted(folder));
        assertThat(main("user add ada --config " + yaml + " --password-file " + password))
                .as(err.toString())
                .isZero();
        return yaml;
    }

    @Test
    void aBrokerThatListensIsMeasuredByItsUsers() throws IOException, ParseException {
        Path password = folder.resolve("password");
        try (Turnstone broker =
                Turnstone.builder().config(configuration(password)).start()) {
            for (Listener listener : broker.listeners()) {
                String url = "--url " + listener.protocol() + "://127.0.0.1:" + listener.port() + " --json";
                int code = run(url + " --user ada --password-file " + password + " --warm-up 0 --duration 0.3");
                assertThat(code).as(err.toString()).isZero();
                assertThat(number(line(), "missing")).isZero();
                assertThat(run(url)).isEqualTo(Main.FAILED);
                assertThat(err.toString())
                        .startsWith("turnstone: 127.0.0.1:" + listener.port() + ": ")
                        .containsAnyOf("a user and a password are needed", "the login was refused: ");
                assertThat(out.toString()).isEmpty();
            }
        }
    }

    @Test
    void whatIsWrongIsSaidInOneLine() throws IOException {
        int closed = Ports.free();
        refused(2, "--ack qos1: in jms one of auto, dups-ok, client, transacted", "--ack qos1");
        refused(2, "MQTT has no queues: --destination topic:a", "--protocol mqtt --destination queue:a");
        refused(2, "--destination a: queue:NAME or topic:NAME", "--destination a");
        refused(2, "--protocol amqp: one of jms, stomp, mqtt, openwire", "--protocol amqp");
        refused(2, "--size is 16 to 67108864", "--size 3");
        refused(2, "nobody sends and nobody receives", "--producers 0 --consumers 0");
        refused(2, "--user goes with --password-file", "--url stomp://127.0.0.1 --user ada");
        refused(2, "Invalid value for option '--producers': 'two' is not an int", "--producers two");
        refused(1, "127.0.0.1:" + closed + ": Connection refused", "--url MQTT://127.0.0.1:" + closed);
        refused(1, "127.0.0.1:" + closed + ": Could not connect", "--url openwire://127.0.0.1:" + closed);
        refused(1, "--url 127.0.0.1: it has no scheme", "--url 127.0.0.1");
        refused(1, "--url stomp://a/b: stomp://HOST:PORT and nothing more", "--url stomp://a/b");
        refused(
                1,
                "--url amqp://127.0.0.1: the scheme 'amqp' is unknown; there are: stomp, stomp+ssl, mqtt, mqtts,"
                        + " openwire, openwire+ssl, or one that JMS connects to, such as vm",
                "--url amqp://127.0.0.1");
        Path none = folder.resolve("none");
        refused(1, none + ": there is no such folder", "--data-in " + none);
        refused(1, none + ": there is no such file", "--url stomp://127.0.0.1 --user ada --password-file " + none);
    }

    private void refused(int code, String why, String arguments) {
        assertThat(run(arguments)).as(arguments).isEqualTo(code);
        List<String> lines = err.toString().lines().toList();
        assertThat(lines.get(lines.size() - 1)).startsWith("turnstone: ").contains(why);
        assertThat(out.toString()).isEmpty();
    }
}
