package dev.turnstone.transport.stomp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Broker;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.Listener;
import dev.turnstone.spi.SharedResources;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.transport.vertx.EventLoops;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A STOMP listener on a free port, with the resources of a broker of its own. */
final class StompListener implements AutoCloseable {
    private static final String HOST = "127.0.0.1";

    private final OneBroker resources = new OneBroker();
    private final Listener listener;

    private final Broker broker;

    StompListener(Broker broker, String... settings) {
        this.broker = broker;
        Map<String, String> named = new HashMap<>();
        for (int at = 0; at < settings.length; at += 2) {
            named.put(settings[at], settings[at + 1]);
        }
        listener = listenToo(new ListenRequest(HOST, 0, named));
    }

    /** Binds another listener with the same resources. */
    Listener listenToo(ListenRequest request) {
        return new StompTransportProvider()
                .listen(request, broker, resources)
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }

    int port() {
        return listener.port();
    }

    StompClient connect(String... headers) throws IOException {
        return StompClient.connect(HOST, port(), headers);
    }

    StompClient connectWith(String version, String... headers) throws IOException {
        return StompClient.connectWith(version, HOST, port(), headers);
    }

    StompClient open() throws IOException {
        return StompClient.open(HOST, port());
    }

    void stopListening() {
        listener.close().toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        stopListening();
        resources.close();
    }

    private static final class OneBroker implements SharedResources {
        private final Map<Class<?>, AutoCloseable> made = new HashMap<>();

        @Override
        public synchronized <T extends AutoCloseable> T shared(Class<T> type, Function<String, T> create) {
            return type.cast(made.computeIfAbsent(type, ignored -> create.apply("test")));
        }

        synchronized void close() {
            for (AutoCloseable one : made.values()) {
                assertThat(one).isInstanceOf(EventLoops.class);
                ((EventLoops) one).close();
            }
        }
    }
}
