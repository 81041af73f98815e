package dev.turnstone.transport.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.port.BrokerException;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.Listener;
import io.vertx.core.net.impl.VertxHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TcpListenerTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String HOST = "127.0.0.1";

    private final Talks all = new Talks();
    private final List<Talk> talks = all.talks;
    private final EventLoops loops = all.loops;

    @AfterEach
    void close() {
        all.close();
    }

    private Listener listen(WireSettings settings) {
        return bind(new ListenRequest(HOST, 0, Map.of()), settings);
    }

    private Listener bind(ListenRequest request, WireSettings settings) {
        return all.bind(request, settings);
    }

    private Talk talk() {
        return all.first();
    }

    private static WireSettings settings(int loginTimeoutMs, int lingerMs) {
        return WireSettings.read(
                new ListenSettings("talk", Map.of("loginTimeoutMs", "" + loginTimeoutMs, "lingerMs", "" + lingerMs)));
    }

    private static Socket connect(Listener listener) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        socket.setSoTimeout((int) SOON.toMillis());
        return socket;
    }

    private static String readAll(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void thereIsOneInstanceForABroker() {
        assertThat(EventLoops.of(all.shared)).isSameAs(loops);
    }

    @Test
    void connectionsAreSpreadOverAllEventLoopsAndTheirThreadsKeepNoJvmAlive() throws IOException {
        Listener listener = listen(settings(10_000, 1_000));
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < loops.count() * 2; i++) {
            Socket socket = connect(listener);
            write(socket, "x");
            sockets.add(socket);
        }
        await().atMost(SOON).until(() -> threads().size() == loops.count());
        assertThat(talks).allMatch(talk -> talk.thread.isDaemon());
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private Set<Thread> threads() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        talks.forEach(talk -> threads.add(talk.thread));
        return threads;
    }

    @Test
    void aLastPieceReachesAPeerThatIsStillSending() throws IOException {
        Listener listener = listen(settings(10_000, 2_000));
        try (Socket socket = connect(listener)) {
            write(socket, "finish" + "x".repeat(1_000_000));
            assertThat(readAll(socket)).isEqualTo("goodbye");
        }
        await().atMost(SOON).until(() -> talk().ends.get() == 1);
    }

    @Test
    void aPeerThatDoesNotCloseIsDroppedWhenTheLingeringIsOver() throws IOException {
        Listener listener = listen(settings(10_000, 100));
        try (Socket socket = connect(listener)) {
            write(socket, "finish");
            assertThat(readAll(socket)).isEqualTo("goodbye");
            await().atMost(SOON).until(() -> talk().ends.get() == 1);
        }
    }

    @Test
    void aPeerThatDoesNotReadIsDroppedWhenTheLingeringIsOver() throws IOException {
        Listener listener = listen(settings(10_000, 100));
        try (Socket socket = connect(listener)) {
            write(socket, "much 50000000");
            await().atMost(SOON).until(() -> talk().full.get() == 1);
            write(socket, "finish");
            await().atMost(SOON).until(() -> talk().ends.get() == 1);
        }
    }

    @Test
    void aSocketThatWasFullSaysWhenItTakesMore() throws IOException {
        Listener listener = listen(settings(10_000, 1_000));
        try (Socket socket = connect(listener)) {
            write(socket, "much 50000000");
            await().atMost(SOON).until(() -> talk().full.get() == 1);
            assertThat(talk().drained).hasValue(0);
            assertThat(socket.getInputStream().readNBytes(50_000_000)).hasSize(50_000_000);
            await().atMost(SOON).until(() -> talk().drained.get() == 1);
        }
    }

    @Test
    void whileTheProtocolReadsNothingNothingIsLostAndNothingOvertakes() throws IOException {
        Listener listener = listen(settings(10_000, 1_000));
        try (Socket socket = connect(listener)) {
            write(socket, "pause");
            await().atMost(SOON)
                    .until(() -> !talks.isEmpty() && talk().heard.toString().equals("pause"));
            StringBuilder all = new StringBuilder("pause");
            for (int i = 0; i < 20_000; i++) {
                String number = i + " ";
                all.append(number);
                write(socket, number);
            }
            await().atMost(SOON).until(() -> talk().heard.length() == all.length());
            assertThat(talk().heard).hasToString(all.toString());
        }
    }

    @Test
    void aConnectionKeepsNothingOfVertx() throws IOException {
        Listener listener = listen(settings(10_000, 1_000));
        try (Socket socket = connect(listener)) {
            write(socket, "echo");
            assertThat(socket.getInputStream().readNBytes(4)).hasSize(4);
            assertThat(talk().wire().pipeline().get(VertxHandler.class)).isNull();
        }
    }

    @Test
    void aFaultEndsItsConnectionAndNoOther() throws IOException {
        Listener listener = listen(settings(10_000, 1_000));
        try (Socket healthy = connect(listener);
                Socket faulty = connect(listener)) {
            write(healthy, "echo");
            write(faulty, "fault");
            assertThat(readAll(faulty)).isEmpty();
            write(healthy, "finish");
            assertThat(readAll(healthy)).isEqualTo("echogoodbye");
        }
    }

    @Test
    void theLoginTimeOutIsOverWithTheLogin() throws IOException {
        Listener listener = listen(settings(1_000, 1_000));
        try (Socket silent = connect(listener);
                Socket known = connect(listener)) {
            write(known, "login");
            assertThat(readAll(silent)).isEqualTo("too late");
            await().during(Duration.ofMillis(500))
                    .atMost(SOON)
                    .until(() -> talks.stream()
                                    .filter(talk -> talk.lateLogins.get() > 0)
                                    .count()
                            == 1);
        }
    }

    @Test
    void timersEndWithTheConnection() throws IOException {
        Listener listener = listen(settings(10_000, 1_000));
        try (Socket socket = connect(listener)) {
            write(socket, "tick");
            await().atMost(SOON).until(() -> talk().ticks.get() > 2);
        }
        await().atMost(SOON).until(() -> talk().ends.get() == 1);
        int ticks = talk().ticks.get();
        await().during(Duration.ofMillis(100))
                .atMost(SOON)
                .until(() -> talk().ticks.get() == ticks);
    }

    @Test
    void aClosedListenerTakesNoMoreAndItsPortIsFree() throws IOException {
        Listener listener = listen(settings(10_000, 100));
        try (Socket socket = connect(listener)) {
            write(socket, "echo");
            await().atMost(SOON).until(() -> !talks.isEmpty());
            listener.close()
                    .toCompletableFuture()
                    .orTimeout(10, TimeUnit.SECONDS)
                    .join();
            assertThat(readAll(socket)).isEqualTo("echostopping");
        }
        Listener again = bind(new ListenRequest(HOST, listener.port(), Map.of()), settings(10_000, 100));
        assertThat(again.port()).isEqualTo(listener.port());
    }

    @Test
    void aTakenPortAndAForeignAddressAreNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ListenRequest request = new ListenRequest(HOST, taken.getLocalPort(), Map.of());
            assertThatThrownBy(() -> bind(request, settings(1, 1)))
                    .hasCauseInstanceOf(BrokerException.class)
                    .hasMessageContaining("cannot listen for talk on 127.0.0.1:" + taken.getLocalPort());
        }
        ListenRequest foreign = new ListenRequest("192.0.2.1", 0, Map.of());
        assertThatThrownBy(() -> bind(foreign, settings(1, 1)))
                .hasCauseInstanceOf(BrokerException.class)
                .hasMessageContaining("cannot listen for talk on 192.0.2.1:0");
    }
}
