package dev.turnstone.transport.vertx;

import dev.turnstone.spi.SharedResources;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** What the HTTP listeners of one broker answer, besides WebSocket. Any thread. */
public final class HttpRoutes implements AutoCloseable {
    private final Map<String, Handler<HttpServerRequest>> handlers = new ConcurrentSkipListMap<>();

    private HttpRoutes() {}

    /** Those of a broker. */
    public static HttpRoutes of(SharedResources shared) {
        return shared.shared(HttpRoutes.class, broker -> new HttpRoutes());
    }

    /**
     * Answers requests for a path and for those below it, unless a longer path has a handler of its own.
     *
     * @param path such as {@code /health}, for {@code /health} and {@code /health/live} but not {@code /healthy}
     * @param handler called on the connection's event loop, with a request of any method: must not block, and ends the
     *     response, now or later. A body that it does not read is dropped; of one that it reads it limits the size. Who
     *     may ask is its to decide: the listener has checked nothing but the connection's limits
     * @throws IllegalArgumentException if the path does not start with a slash, ends with one, or has a handler
     */
    public void add(String path, Handler<HttpServerRequest> handler) {
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException("a path starts with a slash and ends with none: '" + path + "'");
        }
        if (handlers.putIfAbsent(path, handler) != null) {
            throw new IllegalArgumentException(path + " has a handler");
        }
    }

    /** The handler for a path, or null if there is none. */
    @Nullable
    Handler<HttpServerRequest> find(String path) {
        String at = path;
        while (!at.isEmpty()) {
            Handler<HttpServerRequest> handler = handlers.get(at);
            if (handler != null) {
                return handler;
            }
            at = at.substring(0, Math.max(0, at.lastIndexOf('/')));
        }
        return null;
    }

    @Override
    public void close() {
        handlers.clear();
    }
}
