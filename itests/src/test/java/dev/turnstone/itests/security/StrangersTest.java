package dev.turnstone.itests.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.itests.process.ProgramRun;
import dev.turnstone.server.Turnstone;
import dev.turnstone.spi.Listener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.BaseCommand;
import org.apache.activemq.command.ConnectionId;
import org.apache.activemq.command.ConnectionInfo;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.ExceptionResponse;
import org.apache.activemq.command.MessageId;
import org.apache.activemq.command.ProducerId;
import org.apache.activemq.command.SessionId;
import org.apache.activemq.command.WireFormatInfo;
import org.apache.activemq.openwire.OpenWireFormat;
import org.apache.activemq.util.ByteSequence;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who has no user, at each port of a broker that has users. */
@Timeout(120)
final class StrangersTest {
    private static final String PASSWORD = "a password of hers";
    private static final ConnectionId STRANGER = new ConnectionId("ID:stranger");
    private static final Map<String, List<byte[]>> PACKETS = Map.of(
            "stomp",
            List.of(
                    text("SEND\ndestination:/queue/a\nreceipt:1\n\nx\0"),
                    text("SUBSCRIBE\nid:0\ndestination:/queue/a\nreceipt:1\n\n\0"),
                    text("CONNECT\naccept-version:1.2\nhost:/\n\n\0SEND\ndestination:/queue/a\nreceipt:1\n\nx\0")),
            "mqtt",
            List.of(
                    hex("3206000161000178"),
                    hex("820700010000016101"),
                    hex("100e00044d5154540502000a00000161" + "320700016100010078"),
                    hex("100d00044d5154540402000a000161" + "3206000161000178")),
            "openwire",
            List.of(
                    openWire(consumer()),
                    openWire(message()),
                    openWire(login(null), consumer()),
                    openWire(login(null), message()),
                    openWire(login("ada"), message())));

    @TempDir
    Path folder;

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static ConnectionInfo login(@Nullable String user) {
        ConnectionInfo info = new ConnectionInfo(STRANGER);
        info.setClientId("stranger");
        info.setUserName(user);
        return info;
    }

    private static ConsumerInfo consumer() {
        ConsumerInfo info = new ConsumerInfo(new ConsumerId(new SessionId(STRANGER, 1), 1));
        info.setDestination(new ActiveMQQueue("a"));
        return info;
    }

    private static ActiveMQTextMessage message() {
        ProducerId producer = new ProducerId(new SessionId(STRANGER, 1), 1);
        ActiveMQTextMessage message = new ActiveMQTextMessage();
        message.setProducerId(producer);
        message.setMessageId(new MessageId(producer, 1));
        message.setDestination(new ActiveMQQueue("a"));
        return message;
    }

    /** The commands as one sends them who says hello first. */
    private static byte[] openWire(BaseCommand... commands) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        OpenWireFormat format = new OpenWireFormat(12);
        WireFormatInfo hello = new WireFormatInfo();
        hello.setVersion(12);
        try {
            bytes.writeBytes(format.marshal(hello).toArray());
            for (BaseCommand command : commands) {
                command.setCommandId(bytes.size());
                command.setResponseRequired(true);
                bytes.writeBytes(format.marshal(command).toArray());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private Turnstone start() throws IOException {
        Path password = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
        Path yaml = Files.writeString(folder.resolve("t.yaml"), """
            data: %1$s/data
            listen: ["stomp=127.0.0.1:0", "mqtt=127.0.0.1:0", "http=127.0.0.1:0", "openwire=127.0.0.1:0"]
            security: {users: %1$s/users}
            """.formatted(folder));
        try (ProgramRun run = ProgramRun.java(
                folder, "user", "add", "ada", "--config", yaml.toString(), "--password-file", password.toString())) {
            assertThat(run.awaitExit()).as(run.err().toString()).isZero();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        return Turnstone.builder().config(yaml).start();
    }

    @Test
    void getNothingButARefusal() throws IOException, InterruptedException {
        try (Turnstone broker = start()) {
            for (Listener listener : broker.listeners()) {
                if (listener.protocol().equals("http")) {
                    http(listener.port());
                    continue;
                }
                assertThat(PACKETS).containsKey(listener.protocol());
                for (byte[] packets : PACKETS.get(listener.protocol())) {
                    assertRefused(listener.protocol(), answer(listener.port(), packets));
                }
            }
        }
    }

    private static void assertRefused(String protocol, byte[] answer) throws IOException {
        String text = new String(answer, StandardCharsets.ISO_8859_1);
        switch (protocol) {
            case "stomp" -> assertThat(text).doesNotContain("CONNECTED", "RECEIPT", "MESSAGE");
            // CONNACK's fourth byte says whether the client is in.
            case "mqtt" ->
                assertThat(answer.length == 0 || answer[0] == 0x20 && answer[3] != 0)
                        .as(text)
                        .isTrue();
            case "openwire" ->
                assertThat(commands(answer))
                        .extracting(command -> (Object) command.getClass())
                        .as(text)
                        .contains(ExceptionResponse.class)
                        .containsOnly(WireFormatInfo.class, ExceptionResponse.class);
            default -> throw new AssertionError("nobody knows what a refusal is in " + protocol);
        }
    }

    private static List<Object> commands(byte[] answer) throws IOException {
        OpenWireFormat format = new OpenWireFormat(12);
        List<Object> commands = new ArrayList<>();
        int length;
        for (int at = 0; at < answer.length; at += 4 + length) {
            length = ByteBuffer.wrap(answer, at, 4).getInt();
            commands.add(format.unmarshal(new ByteSequence(Arrays.copyOfRange(answer, at, at + 4 + length))));
        }
        return commands;
    }

    @Test
    void whoReadsTheNumbersIsWrittenDownOnceAndLeavesWithTheUser() throws Exception {
        try (Turnstone broker = start()) {
            int port = broker.listeners().get(2).port();
            for (int i = 0; i < 3; i++) {
                assertThat(get(port, "/metrics", "ada:" + PASSWORD).statusCode())
                        .isEqualTo(200);
                assertThat(get(port, "/metrics", "ada:a wrong guess").statusCode())
                        .isEqualTo(401);
            }
            Path audit = folder.resolve("data/audit.log");
            await().untilAsserted(() -> assertThat(Files.readAllLines(audit).stream()
                            .filter(line ->
                                    line.contains("\"what\":\"login\"") && line.contains("\"outcome\":\"refused\"")))
                    .hasSize(3));
            assertThat(Files.readAllLines(audit).stream()
                            .filter(line ->
                                    line.contains("\"what\":\"login\"") && line.contains("\"outcome\":\"done\"")))
                    .hasSize(1);
            String yaml = folder.resolve("t.yaml").toString();
            try (ProgramRun run = ProgramRun.java(folder, "user", "remove", "ada", "--config", yaml)) {
                assertThat(run.awaitExit()).as(run.err().toString()).isZero();
            }
            broker.reload(Turnstone.builder().config(folder.resolve("t.yaml")));
            await().untilAsserted(() -> assertThat(
                            get(port, "/metrics", "ada:" + PASSWORD).statusCode())
                    .isEqualTo(401));
        }
    }

    /** All that comes until the broker closes. */
    private static byte[] answer(int port, byte[] packets) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(packets);
            return socket.getInputStream().readAllBytes();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the broker keeps a stranger's connection", e);
        }
    }

    private static void http(int port) throws IOException, InterruptedException {
        assertThat(get(port, "/health/live", null).body()).isEqualTo("live\n");
        assertThat(get(port, "/health/ready", null).body()).isEqualTo("ready\n");
        HttpResponse<String> refused = get(port, "/metrics", null);
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("www-authenticate").orElse("")).startsWith("Basic realm=");
        assertThat(refused.body()).doesNotContain("turnstone_");
        for (String wrong : List.of("ada:a wrong guess", "ada", ":", "nobody:" + PASSWORD)) {
            assertThat(get(port, "/metrics", wrong).statusCode()).as(wrong).isEqualTo(401);
        }
        HttpResponse<String> shown = get(port, "/metrics", "ada:" + PASSWORD);
        assertThat(shown.statusCode()).isEqualTo(200);
        assertThat(shown.body()).contains("turnstone_connections");
        for (String path : List.of("/", "/stomp", "/mqtt", "/api", "/health", "/metrics/x", "/../data")) {
            assertThat(get(port, path, null).statusCode()).as(path).isIn(401, 404, 426);
        }
    }

    private static HttpResponse<String> get(int port, String path, @Nullable String login)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        if (login != null) {
            String encoded = Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
            request.header("Authorization", "Basic " + encoded);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
