package dev.turnstone.itests.security;

import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.server.security.JwtSettings;
import dev.turnstone.server.security.PasswordSettings;
import dev.turnstone.server.security.Permission;
import dev.turnstone.server.security.SecuritySettings;
import dev.turnstone.server.security.ServerSecurity;
import dev.turnstone.server.security.ThrottleSettings;
import dev.turnstone.server.security.Users;
import dev.turnstone.server.security.UsersFile;
import dev.turnstone.spi.Listener;
import dev.turnstone.testkit.stomp.StompClient;
import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * A broker with the users alice (role clerks, password {@link #ALICE}) and bob (no role, {@link #BOB}), listeners for
 * STOMP, MQTT and OpenWire, and a URL for JMS clients. Clerks use queues and topics that start with {@code orders},
 * everybody an inbox of their own.
 */
final class SecuredBroker implements AutoCloseable {
    static final String ALICE = "alice-through-the-glass";
    static final String BOB = "bobs-your-uncle";

    private static final String HOST = "127.0.0.1";
    private static final PasswordSettings FAST = new PasswordSettings(1_000, 10);

    final Users users;
    private final Path folder;
    private final @Nullable JwtSettings tokens;
    private final ServerSecurity security;
    private final EmbeddedBroker broker;
    private final int port;
    private final int mqttPort;
    private final int openWirePort;

    SecuredBroker(Path folder) {
        this(folder, Limits.DEFAULTS);
    }

    SecuredBroker(Path folder, Limits limits) {
        this(folder, limits, null);
    }

    /** Also takes tokens. */
    SecuredBroker(Path folder, JwtSettings tokens) {
        this(folder, Limits.DEFAULTS, tokens);
    }

    private SecuredBroker(Path folder, Limits limits, @Nullable JwtSettings tokens) {
        this.folder = folder;
        this.tokens = tokens;
        Path file = folder.resolve("users");
        users = new Users(new UsersFile(file), audit(), FAST);
        users.add("alice", ALICE, Set.of("clerks"));
        users.add("bob", BOB, Set.of());
        security = new ServerSecurity(
                settings(List.of(
                        Permission.of(List.of("clerks"), "orders.>", List.of("all")),
                        Permission.of(List.of("*"), "inbox.%u", List.of("send", "consume")),
                        Permission.of(List.of("*"), "topic:device.%c", List.of("send")))),
                false,
                folder);
        broker = EmbeddedBroker.start(
                BrokerSettings.in(folder.resolve("data")).withLimits(limits).withSecurity(security.current()));
        security.follow(broker::secure);
        port = broker.listen("stomp", HOST, 0, Map.of()).port();
        mqttPort = broker.listen("mqtt", HOST, 0, Map.of()).port();
        openWirePort = broker.listen("openwire", HOST, 0, Map.of()).port();
        SecuredConnector.serve(folder, broker.broker());
    }

    private SecuritySettings settings(List<Permission> permissions) {
        return new SecuritySettings(
                folder.resolve("users"),
                tokens,
                null,
                null,
                null,
                null,
                permissions,
                audit(),
                FAST,
                ThrottleSettings.DEFAULTS);
    }

    /** Takes other permissions over. */
    void permit(List<Permission> permissions) {
        security.reload(settings(permissions), broker::secure);
    }

    /** Messages go by these bindings too. */
    void bind(Bindings bindings) {
        broker.bind(bindings);
    }

    private Path audit() {
        return folder.resolve("audit.log");
    }

    String auditText() throws IOException {
        return Files.readString(audit());
    }

    StompClient stomp(String... headers) throws IOException {
        return StompClient.connect(HOST, port, headers);
    }

    /** Listens for another protocol; the port. */
    int listen(String protocol) {
        return broker.listen(protocol, HOST, 0, Map.of()).port();
    }

    int mqttPort() {
        return mqttPort;
    }

    StompClient stompAs(String user, String password) throws IOException {
        return stomp("login", user, "passcode", password);
    }

    /** A socket on which nothing was sent yet. */
    StompClient stompSocket() throws IOException {
        return StompClient.open(HOST, port);
    }

    /** Listens for WebSockets too. */
    Listener http(Map<String, String> settings) {
        return broker.listen("http", HOST, 0, settings);
    }

    /** ActiveMQ's client over OpenWire. */
    Listener openWire(Map<String, String> settings) {
        return broker.listen("openwire", HOST, 0, settings);
    }

    ConnectionFactory activeMq() {
        return new ActiveMQConnectionFactory("tcp://" + HOST + ":" + openWirePort);
    }

    ConnectionFactory jms() {
        return new TurnstoneConnectionFactory(SecuredConnector.url(folder));
    }

    @Override
    public void close() {
        SecuredConnector.forget(folder);
        broker.close();
        security.close();
    }
}
