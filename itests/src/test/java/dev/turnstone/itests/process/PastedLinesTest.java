package dev.turnstone.itests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.testkit.transport.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documents tell a newcomer to type, taken from them and typed; only ports are others. */
final class PastedLinesTest {
    private static final Path ROOT = Path.of(System.getProperty("project.root"));
    private static final Pattern FENCED = Pattern.compile("```(\\w+)\n(.*?)```", Pattern.DOTALL);
    private static final String STOMP_PORT = "61613";
    private static final String JMS_STOMP_PORT = "61614";
    private static final String SECRET = "a long secret";

    @TempDir
    Path folder;

    /** The section of a document under this heading. */
    private static String section(String document, String heading) throws IOException {
        String text = Files.readString(ROOT.resolve(document));
        int from = text.indexOf("\n" + heading + "\n");
        assertThat(from).as(heading).isNotNegative();
        int to = text.indexOf("\n## ", from + heading.length());
        return text.substring(from, to < 0 ? text.length() : to);
    }

    private static List<String> fenced(String section, String language) {
        List<String> blocks = new ArrayList<>();
        Matcher matcher = FENCED.matcher(section);
        while (matcher.find()) {
            if (matcher.group(1).equals(language)) {
                blocks.add(matcher.group(2));
            }
        }
        return blocks;
    }

    /** The indented blocks, each as it would be pasted. */
    private static List<String> indented(String section) {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = new StringBuilder();
        for (String line : section.replaceAll("(?s)```.*?```", "").lines().toList()) {
            if (line.startsWith("    ")) {
                block.append(line.substring(4)).append('\n');
            } else if (!block.isEmpty()) {
                blocks.add(block.toString());
                block.setLength(0);
            }
        }
        return blocks;
    }

    /** Pastes lines into a shell and types what they ask for. */
    private String paste(String lines, String typed, Map<String, String> environment)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", lines)
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process shell = builder.start();
        shell.getOutputStream().write(typed.getBytes(StandardCharsets.UTF_8));
        shell.getOutputStream().close();
        try {
            assertThat(shell.waitFor(90, TimeUnit.SECONDS)).as(lines).isTrue();
            return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            shell.destroyForcibly();
        }
    }

    @Test
    void readmesStompLines() throws IOException, InterruptedException {
        List<String> blocks = fenced(section("README.md", "## STOMP in ten lines"), "bash");
        assertThat(blocks)
                .as("the first send, what is there after a kill, and a page's")
                .hasSize(3);
        String port = String.valueOf(Ports.free());
        String listener = "stomp=127.0.0.1:" + port;
        try (ProgramRun first = ProgramRun.java(folder, "run", "--listen", listener)) {
            first.awaitReady();
            assertThat(paste(blocks.get(0).replace(STOMP_PORT, port), "", Map.of()))
                    .contains("CONNECTED\n", "RECEIPT\nreceipt-id:r1\n");
            first.kill();
            first.awaitExit();
        }
        try (ProgramRun second = ProgramRun.java(folder, "run", "--listen", listener)) {
            second.awaitReady();
            assertThat(paste(blocks.get(1).replace(STOMP_PORT, port), "", Map.of()))
                    .contains("MESSAGE\n", "Hello, Turnstone\n");
        }
    }

    @Test
    void readmesJmsLines() throws IOException, InterruptedException {
        List<String> blocks = fenced(section("README.md", "## JMS in ten lines"), "bash");
        assertThat(blocks).as("the program, and the STOMP side of it").hasSize(2);
        Files.createSymbolicLink(folder.resolve("turnstone"), ROOT.resolve("turnstone"));
        Files.createSymbolicLink(folder.resolve("server"), ROOT.resolve("server"));
        String lines = (blocks.get(0) + blocks.get(1)).replace(JMS_STOMP_PORT, String.valueOf(Ports.free()));
        // Whatever comes of it, the program does not stay.
        String said = paste("trap 'kill $!' EXIT\n" + lines, "", Map.of());
        assertThat(said).contains("waiting for an order on 127.0.0.1:", "MESSAGE\n", "done: one pair of boots\n");
    }

    @Test
    void readmesMqttLines() throws IOException, InterruptedException {
        List<String> blocks = fenced(section("README.md", "## MQTT in ten lines"), "bash");
        assertThat(blocks).hasSize(2);
        int port = Ports.free();
        // What mosquitto's programs read before their command line.
        for (String program : List.of("mosquitto_pub", "mosquitto_sub")) {
            Files.writeString(folder.resolve(program), "-h 127.0.0.1\n-p " + port + "\n");
        }
        Map<String, String> here = Map.of("XDG_CONFIG_HOME", folder.toString());
        String listener = "mqtt=127.0.0.1:" + port;
        try (ProgramRun first = ProgramRun.java(folder, "run", "--listen", listener)) {
            first.awaitReady();
            assertThat(paste(blocks.get(0), "", here)).isEmpty();
            first.kill();
            first.awaitExit();
        }
        try (ProgramRun second = ProgramRun.java(folder, "run", "--listen", listener)) {
            second.awaitReady();
            assertThat(paste(blocks.get(1), "", here).lines())
                    .as("of QoS 2 the program shows a message when its handshake is over")
                    .containsExactlyInAnyOrder(
                            "home/kitchen/temperature 21.5",
                            "home/hall/temperature 19.0",
                            "home/hall/temperature 19.0");
        }
    }

    @Test
    void readmesJtaLines() throws IOException, InterruptedException {
        List<String> blocks = fenced(section("README.md", "## JTA in ten lines"), "bash");
        assertThat(blocks).hasSize(2);
        Files.createSymbolicLink(folder.resolve("turnstone"), ROOT.resolve("turnstone"));
        Files.createSymbolicLink(folder.resolve("demo"), ROOT.resolve("demo"));
        assertThat(paste(blocks.get(0), "", Map.of())).contains("bill for one pair of boots");
        assertThat(blocks.get(1)).startsWith("./turnstone demo --all --kills 10");
    }

    @Test
    void aNewcomerSecuresABroker() throws IOException, InterruptedException {
        String section = section("docs/security.md", "## TLS and two users, step by step");
        String port = String.valueOf(Ports.free());
        List<String> commands = indented(section);
        assertThat(commands).as("certificate, users, the try").hasSize(3);
        Files.createSymbolicLink(folder.resolve("turnstone"), ROOT.resolve("turnstone"));
        String yaml = fenced(section, "yaml").get(0);
        assertThat(yaml).contains(STOMP_PORT);
        Files.writeString(folder.resolve("turnstone.yaml"), yaml.replace(STOMP_PORT, port));
        makeCertificate(commands.get(0));
        for (String command : commands.get(1).lines().toList()) {
            addUser(command);
        }
        String run = section.replaceAll("(?s).*\\*\\*4. Start.\\*\\* `([^`]*)`.*", "$1");
        assertThat(run).isEqualTo("./turnstone run --config turnstone.yaml");
        Process broker = new ProcessBuilder("bash", "-c", "exec " + run)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try {
            await().atMost(Duration.ofSeconds(90)).until(() -> reachable(Integer.parseInt(port)));
            tryIt(commands.get(2).replace(STOMP_PORT, port));
        } finally {
            broker.destroy();
            assertThat(broker.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static boolean reachable(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** keytool asks twice for a password; the next command takes it again, up to the end of what is typed. */
    private void makeCertificate(String commands) throws IOException, InterruptedException {
        int second = commands.indexOf("(umask");
        int third = commands.indexOf("chmod");
        assertThat(second).isPositive();
        assertThat(third).isGreaterThan(second);
        String twice = (SECRET + "\n").repeat(2);
        paste("set -e\n" + commands.substring(0, second), twice, Map.of());
        paste("set -e\n" + commands.substring(second, third), SECRET + "\n", Map.of());
        String said = paste("set -e\n" + commands.substring(third), SECRET + "\n", Map.of());
        assertThat(folder.resolve("broker.pem")).as(said).isNotEmptyFile();
    }

    /** The command wants a terminal: {@code script} is one. */
    private void addUser(String command) throws IOException, InterruptedException {
        String said =
                paste("script -qec " + "'" + command + "' /dev/null", (SECRET + " of a user\n").repeat(2), Map.of());
        assertThat(said).contains("Password:", "Once more:").doesNotContain("turnstone:");
    }

    private void tryIt(String command) throws IOException, InterruptedException {
        String timed = command.replace("openssl s_client", "timeout 5 openssl s_client");
        assertThat(paste(timed.replace("PASSWORD", SECRET + " of a user"), "", Map.of()))
                .contains("CONNECTED", "RECEIPT");
        assertThat(paste(timed.replace("PASSWORD", "a wrong guess"), "", Map.of()))
                .contains("ERROR", "the user is unknown or the password is wrong");
        String subscribe = timed.replace("PASSWORD", SECRET + " of a user")
                .replace("SEND\\n", "SUBSCRIBE\\nid:1\\n")
                .replace("one pair of boots", "");
        assertThat(paste(subscribe, "", Map.of())).contains("ERROR", "user 'shop' may not consume from queue:orders");
    }
}
