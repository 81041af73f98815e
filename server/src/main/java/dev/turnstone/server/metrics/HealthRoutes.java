package dev.turnstone.server.metrics;

import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.broker.report.BrokerReport;
import dev.turnstone.transport.vertx.HttpRoutes;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * {@code /health/live}, {@code /health/ready} and {@code /metrics} of one broker, for its HTTP listeners. Holds nothing
 * that a stranger must not know but addresses' names; so {@code /metrics} is for whoever reaches the port. Any thread.
 */
public final class HealthRoutes {
    private static final long ANSWER_MS = 5_000;
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final String PLAIN = "text/plain; charset=utf-8";

    private final EmbeddedBroker broker;
    private final Metrics metrics;
    private final int addressesMax;
    private final AtomicBoolean ready = new AtomicBoolean();

    private HealthRoutes(EmbeddedBroker broker, Metrics metrics, int addressesMax) {
        this.broker = broker;
        this.metrics = metrics;
        this.addressesMax = addressesMax;
    }

    /** Adds them to a broker's HTTP listeners. */
    public static HealthRoutes add(EmbeddedBroker broker, Metrics metrics, MetricsSettings settings) {
        HealthRoutes health = new HealthRoutes(broker, metrics, settings.addressesMax());
        HttpRoutes routes = HttpRoutes.of(broker.shared());
        routes.add("/health/live", request -> health.get(request, health::live));
        routes.add("/health/ready", request -> health.get(request, health::ready));
        routes.add("/metrics", request -> health.get(request, health::metrics));
        return health;
    }

    /** All listeners are bound, or, if false, about to close. */
    public void ready(boolean now) {
        ready.set(now);
    }

    private interface Answer {
        void to(HttpServerRequest request);
    }

    private void get(HttpServerRequest request, Answer answer) {
        if (request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD)) {
            answer.to(request);
        } else {
            request.response().putHeader("allow", "GET, HEAD");
            end(request, 405, PLAIN, "only GET\n");
        }
    }

    /** Alive is a broker whose engine takes turns. */
    private void live(HttpServerRequest request) {
        ask(0, (report, failure) -> {
            boolean live = failure == null;
            end(request, live ? 200 : 503, PLAIN, live ? "live\n" : "the engine does not answer\n");
        });
    }

    /** Ready is one that is alive and has bound its listeners. */
    private void ready(HttpServerRequest request) {
        ask(0, (report, failure) -> {
            boolean now = failure == null && ready.get();
            end(request, now ? 200 : 503, PLAIN, now ? "ready\n" : "not ready\n");
        });
    }

    private void metrics(HttpServerRequest request) {
        ask(addressesMax, (report, failure) -> {
            if (failure == null) {
                end(request, 200, METRICS_TYPE, metrics.text(report, System.currentTimeMillis()));
            } else {
                end(request, 503, PLAIN, "the engine does not answer\n");
            }
        });
    }

    private void ask(int addresses, BiConsumer<BrokerReport, Throwable> answer) {
        CompletableFuture<?> unused = broker.report(addresses)
                .toCompletableFuture()
                .orTimeout(ANSWER_MS, TimeUnit.MILLISECONDS)
                .whenComplete(answer);
    }

    private static void end(HttpServerRequest request, int status, String type, String text) {
        boolean body = !request.method().equals(HttpMethod.HEAD);
        request.response().setStatusCode(status).putHeader("content-type", type).end(body ? text : "");
    }
}
