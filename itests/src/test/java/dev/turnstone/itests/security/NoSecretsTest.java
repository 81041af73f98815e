package dev.turnstone.itests.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.stomp.StompClient;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A password, right or wrong, is in no log, no error and no audit log, even when everything is logged. */
final class NoSecretsTest {
    private static final String GUESS = "guess-that-nobody-shall-read";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Queue<String> logged = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            String thrown =
                    event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy());
            logged.add(event.getLoggerName() + " " + event.getFormattedMessage() + " " + thrown);
        }
    };
    private Level before = Level.WARN;

    @BeforeEach
    void logEverything() {
        before = root.getLevel();
        root.iteratorForAppenders().forEachRemaining(existing -> existing.addFilter(new QuietFilter(before)));
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
        root.setLevel(Level.TRACE);
    }

    @AfterEach
    void logAsBefore() {
        root.setLevel(before);
        root.detachAppender(appender);
        root.iteratorForAppenders().forEachRemaining(existing -> existing.clearAllFilters());
    }

    private static String everythingOf(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    /** CONNECT of MQTT 5 with the guess, damaged by its reserved flag. */
    private static byte[] brokenConnect() {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.writeBytes(new byte[] {0, 4, 'M', 'Q', 'T', 'T', 5, (byte) 0xc3, 0, 0, 0, 0, 1, 'm', 0, 5});
        packet.writeBytes("alice".getBytes(StandardCharsets.US_ASCII));
        packet.writeBytes(new byte[] {0, (byte) GUESS.length()});
        packet.writeBytes(GUESS.getBytes(StandardCharsets.US_ASCII));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(new byte[] {0x10, (byte) packet.size()});
        whole.writeBytes(packet.toByteArray());
        return whole.toByteArray();
    }

    private static void overMqtt(SecuredBroker broker) throws IOException {
        for (MqttLogin guess : List.of(MqttLogin.v5("m"), MqttLogin.v3("m"))) {
            try (MqttPeer mqtt = MqttPeer.open(broker.mqttPort())) {
                MqttConnAckMessage answer = mqtt.login(guess.user("alice", GUESS));
                assertThat(answer.variableHeader().connectReturnCode().byteValue())
                        .isNotZero();
                assertThat(answer.toString()
                                + answer.variableHeader().properties().listAll())
                        .doesNotContain(GUESS);
            }
        }
        try (MqttPeer broken = MqttPeer.open(broker.mqttPort())) {
            broken.raw(brokenConnect());
            broken.awaitClose();
        }
        MqttPeer.connect(broker.mqttPort(), MqttLogin.v5("m").user("alice", SecuredBroker.ALICE))
                .close();
    }

    private static void overOpenWire(SecuredBroker broker) throws JMSException {
        try (Connection guess = broker.activeMq().createConnection("alice", GUESS)) {
            assertThatThrownBy(guess::start)
                    .isInstanceOf(JMSSecurityException.class)
                    .satisfies(thrown -> assertThat(everythingOf(thrown)).doesNotContain(GUESS));
        }
        try (Connection right = broker.activeMq().createConnection("alice", SecuredBroker.ALICE)) {
            right.start();
        }
    }

    @Test
    void nothingOfAFailedOrOfASuccessfulLoginShowsThePassword() throws IOException, JMSException {
        try (SecuredBroker broker = new SecuredBroker(folder)) {
            assertThatThrownBy(() -> broker.stompAs("alice", GUESS))
                    .satisfies(thrown -> assertThat(everythingOf(thrown)).doesNotContain(GUESS));
            try (StompClient strange = broker.stompSocket()) {
                strange.raw("CONNECT\naccept-version:7.7\nlogin:alice\npasscode:" + GUESS + "\n\n^@");
                assertThat(strange.awaitError(PATIENCE).toString()).doesNotContain(GUESS);
            }
            try (StompClient broken = broker.stompSocket()) {
                broken.raw("CONNECT\naccept-version:1.2\nlogin:alice\npasscode:" + GUESS + "\nno colon here\n\n^@");
                assertThat(broken.awaitError(PATIENCE).toString()).doesNotContain(GUESS);
            }
            assertThatThrownBy(
                            () -> broker.jms().createConnection("alice", GUESS).start())
                    .satisfies(thrown -> assertThat(everythingOf(thrown)).doesNotContain(GUESS));
            overMqtt(broker);
            overOpenWire(broker);
            broker.stompAs("alice", SecuredBroker.ALICE).disconnect();
            broker.jms().createConnection("bob", SecuredBroker.BOB).close();
            await().atMost(PATIENCE).until(() -> broker.auditText().contains("\"user\":\"bob\""));
            assertThat(broker.auditText()).doesNotContain(GUESS, SecuredBroker.ALICE, SecuredBroker.BOB);
        }
        assertThat(logged).as("the capture works").isNotEmpty();
        assertThat(logged)
                .allSatisfy(line -> assertThat(line).doesNotContain(GUESS, SecuredBroker.ALICE, SecuredBroker.BOB));
    }
}
