package dev.turnstone.server.metrics;

import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.broker.report.BrokerReport;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.transport.vertx.HttpRoutes;
import dev.turnstone.transport.vertx.PeerAddress;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * {@code /health/live}, {@code /health/ready} and {@code /metrics} of one broker, for its HTTP listeners. The first two
 * tell a stranger one word; {@code /metrics} names addresses, and is for whoever can log in. Any thread.
 */
public final class HealthRoutes {
    private static final long ANSWER_MS = 5_000;
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final String BASIC = "basic ";
    private static final String PLAIN = "text/plain; charset=utf-8";

    private final EmbeddedBroker broker;
    private final Metrics metrics;
    private final int addressesMax;
    private final Scrapers scrapers;
    private final AtomicBoolean ready = new AtomicBoolean();

    private HealthRoutes(EmbeddedBroker broker, Metrics metrics, int addressesMax) {
        this.broker = broker;
        this.metrics = metrics;
        this.addressesMax = addressesMax;
        this.scrapers = new Scrapers(broker.broker(), System::currentTimeMillis);
    }

    /** Adds them to a broker's HTTP listeners. */
    public static HealthRoutes add(EmbeddedBroker broker, Metrics metrics, MetricsSettings settings) {
        HealthRoutes health = new HealthRoutes(broker, metrics, settings.addressesMax());
        HttpRoutes routes = HttpRoutes.of(broker.shared());
        routes.add("/health/live", request -> health.get(request, health::live));
        routes.add("/health/ready", request -> health.get(request, health::ready));
        routes.add("/metrics", request -> health.get(request, health::metricsForUsers));
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

    /** The login is that of every client, by HTTP's basic authentication (RFC 7617). */
    private void metricsForUsers(HttpServerRequest request) {
        Login login = login(request);
        // The request waits: what comes behind it is not read before it is answered.
        scrapers.admit(login).whenComplete((admitted, fault) -> {
            if (fault == null) {
                metrics(request);
                return;
            }
            Throwable cause =
                    fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
            boolean refused = cause instanceof BrokerException refusal && refusal.code() == ErrorCode.UNAUTHENTICATED;
            if (refused) {
                request.response().putHeader("www-authenticate", "Basic realm=\"turnstone\", charset=\"UTF-8\"");
            }
            end(request, refused ? 401 : 403, PLAIN, (cause == null ? "refused" : cause.getMessage()) + "\n");
        });
    }

    private static Login login(HttpServerRequest request) {
        String user = null;
        String password = null;
        String given = request.getHeader("authorization");
        if (given != null && given.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            try {
                String[] pair = new String(
                                Base64.getDecoder()
                                        .decode(given.substring(BASIC.length()).strip()),
                                StandardCharsets.UTF_8)
                        .split(":", 2);
                user = pair[0];
                password = pair.length > 1 ? pair[1] : "";
            } catch (IllegalArgumentException e) {
                // Not Base64: a user that there is none of.
                user = "";
                password = "";
            }
        }
        return new Login(user, password, null, "http", PeerAddress.text(request.remoteAddress()));
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
