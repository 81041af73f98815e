package dev.turnstone.testkit.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.spi.Listener;
import dev.turnstone.testkit.tls.TestCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every protocol's listeners promise, over each {@link Carrier}, with a real broker behind. */
@Timeout(300)
public abstract class TransportContract {
    private static final String HOST = "127.0.0.1";
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    static Path certificates;

    private static TestCertificate certificate;

    @TempDir
    Path data;

    private @Nullable EmbeddedBroker running;

    /** How the protocol speaks. */
    protected abstract Dialect dialect();

    @BeforeAll
    static void createCertificate() throws IOException {
        certificate = TestCertificate.create(certificates, "server.test");
    }

    @BeforeEach
    final void start() {
        running = EmbeddedBroker.start(BrokerSettings.in(data));
    }

    @AfterEach
    final void stop() {
        broker().close();
    }

    private EmbeddedBroker broker() {
        if (running == null) {
            throw new IllegalStateException("the broker was not started");
        }
        return running;
    }

    private Listener listen(Carrier carrier, String... named) {
        assumeTrue(dialect().speaksWeb() || !carrier.isWeb(), "the protocol is not spoken over WebSocket");
        Map<String, String> settings = new HashMap<>(Map.of("lingerMs", "1000"));
        for (int at = 0; at < named.length; at += 2) {
            settings.put(named[at], named[at + 1]);
        }
        if (carrier.isTls()) {
            settings.put("tls.certificate", certificate.certificate().toString());
            settings.put("tls.key", certificate.key().toString());
        }
        return broker().listen(carrier.isWeb() ? "http" : dialect().protocol(), HOST, 0, settings);
    }

    private Caller call(Carrier carrier, Listener listener) throws IOException {
        return Caller.call(carrier, listener.port(), certificate, dialect());
    }

    private static List<String> numbers(int count) {
        List<String> numbers = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            numbers.add(String.valueOf(number));
        }
        return numbers;
    }

    private static byte[] sends(Caller caller, int count) {
        java.io.ByteArrayOutputStream sends = new java.io.ByteArrayOutputStream();
        for (int number = 1; number <= count; number++) {
            sends.writeBytes(caller.dialect().send(number, 100));
        }
        return sends.toByteArray();
    }

    @ParameterizedTest
    @EnumSource
    void bytesMayComeSinglyOrAllAtOnce(Carrier carrier) throws IOException {
        Listener listener = listen(carrier);
        for (boolean singly : new boolean[] {true, false}) {
            try (Caller caller = call(carrier, listener)) {
                if (singly) {
                    caller.writeSingly(caller.dialect().login());
                    caller.writeSingly(sends(caller, 3));
                } else {
                    caller.write(caller.dialect().login(), sends(caller, 3));
                }
                List<String> answers = caller.await(all -> all.contains("3"));
                assertThat(answers).containsExactly(Dialect.LOGGED_IN, "1", "2", "3");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatCameBeforeAFaultIsAnsweredBeforeTheEnd(Carrier carrier) throws IOException {
        Listener listener = listen(carrier);
        try (Caller caller = call(carrier, listener)) {
            caller.login();
            caller.write(sends(caller, 50), caller.dialect().fault(), new byte[200_000]);
            List<String> expected = new ArrayList<>(List.of(Dialect.LOGGED_IN));
            expected.addAll(numbers(50));
            if (dialect().answersFaults()) {
                expected.add(Dialect.REFUSED);
            }
            assertThat(caller.awaitOrderlyEnd()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoDoesNotReadHoldsItsWindowAndNobodyElse(Carrier carrier) throws IOException {
        int count = 300;
        Listener listener = listen(carrier);
        try (Caller producer = call(carrier, listener)) {
            producer.login();
            try (Caller slow = call(carrier, listener)) {
                slow.consumerLogin();
                slow.write(slow.dialect().subscribe());
                for (int number = 1; number <= count; number++) {
                    producer.write(producer.dialect().send(number, 60_000));
                }
                producer.await(all -> all.contains(String.valueOf(count)));
            }
            // 18 MB: what the sockets of both sides hold is a quarter or so, and all else is still the broker's.
            try (Caller next = call(carrier, listener)) {
                next.consumerLogin();
                next.write(next.dialect().subscribe());
                next.await(all -> Collections.frequency(all, Dialect.MESSAGE) > count / 3);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void garbageEndsItsConnectionAndNoOther(Carrier carrier) throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Listener listener = listen(carrier, "loginTimeoutMs", "5000");
        try (Caller healthy = call(carrier, listener)) {
            healthy.login();
            for (int i = 0; i < 10; i++) {
                try (Caller caller = call(carrier, listener)) {
                    byte[] garbage = new byte[100 + random.nextInt(2_000)];
                    random.nextBytes(garbage);
                    caller.write(garbage);
                    assertThat(caller.awaitEnd()).as("seed " + seed).doesNotContain(Dialect.LOGGED_IN);
                }
            }
            healthy.write(healthy.dialect().send(1, 10));
            healthy.await(all -> all.contains("1"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoDoesNotLogInIsEnded(Carrier carrier) throws IOException {
        Listener listener = listen(carrier, "loginTimeoutMs", "1500");
        try (Caller silent = call(carrier, listener);
                Caller half = call(carrier, listener)) {
            half.write(firstHalf(half.dialect().login()));
            assertThat(silent.awaitOrderlyEnd()).doesNotContain(Dialect.LOGGED_IN);
            assertThat(half.awaitOrderlyEnd()).doesNotContain(Dialect.LOGGED_IN);
        }
    }

    private static byte[] firstHalf(byte[] bytes) {
        return java.util.Arrays.copyOf(bytes, bytes.length / 2);
    }

    @ParameterizedTest
    @EnumSource
    void aLimitTurnsAwayWhoIsTooManyUntilThereIsRoom(Carrier carrier) throws IOException {
        for (String limit : List.of("connectionsMax", "connectionsPerAddressMax")) {
            Listener listener = listen(carrier, limit, "1");
            try (Caller first = call(carrier, listener)) {
                first.login();
                assertThat(canLogIn(carrier, listener)).as(limit).isFalse();
            }
            await(limit).atMost(SOON).until(() -> canLogIn(carrier, listener));
        }
    }

    private boolean canLogIn(Carrier carrier, Listener listener) {
        try (Caller caller = call(carrier, listener)) {
            caller.login();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aListenerThatClosesConfirmsWhatItHasTakenAndEndsItsConnections(Carrier carrier) throws IOException {
        Listener listener = listen(carrier);
        try (Caller caller = call(carrier, listener)) {
            caller.login();
            caller.write(sends(caller, 1));
            caller.await(all -> all.contains("1"));
            listener.close();
            assertThat(caller.awaitOrderlyEnd()).startsWith(Dialect.LOGGED_IN, "1");
        }
    }
}
