package dev.turnstone.transport.vertx;

import static org.awaitility.Awaitility.await;

import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.Listener;
import dev.turnstone.spi.SharedResources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Listeners for {@link Talk}, with the event loops of a broker of their own. */
final class Talks implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(20);
    static final String HOST = "127.0.0.1";

    final List<Talk> talks = new CopyOnWriteArrayList<>();
    final OneInstance shared = new OneInstance();
    final EventLoops loops = EventLoops.of(shared);

    Listener bind(ListenRequest request, WireSettings settings) {
        return bound(TcpListener.bind(loops, "talk", request, settings, this::talk));
    }

    /** Over WebSocket at {@code /talk}, and at {@code /bytes} without text and only for who asks for {@code bytes}. */
    Listener bindHttp(Map<String, String> named) {
        ListenSettings given = new ListenSettings("http", named);
        WireSettings wire = WireSettings.read(given);
        WebSettings web = WebSettings.read(given);
        given.end();
        WebSocketProtocol talk = new WebSocketProtocol("/talk", List.of("v2.talk", "v1.talk"), false, true, this::talk);
        WebSocketProtocol bytes = new WebSocketProtocol("/bytes", List.of("bytes"), true, false, this::talk);
        HttpListener listener = new HttpListener(loops, wire, web, HttpRoutes.of(shared), List.of(talk, bytes));
        return bound(listener.bind("http", new ListenRequest(HOST, 0, Map.of())));
    }

    private static Listener bound(CompletionStage<Listener> binding) {
        return binding.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }

    private Talk talk(Wire wire) {
        Talk talk = new Talk(wire);
        talks.add(talk);
        return talk;
    }

    Talk first() {
        await().atMost(SOON).until(() -> !talks.isEmpty());
        return talks.get(0);
    }

    @Override
    public void close() {
        loops.close();
    }

    static final class OneInstance implements SharedResources {
        private final Map<Class<?>, AutoCloseable> made = new ConcurrentHashMap<>();

        @Override
        public <T extends AutoCloseable> T shared(Class<T> type, Function<String, T> create) {
            return type.cast(made.computeIfAbsent(type, ignored -> create.apply("test")));
        }
    }
}
