package dev.turnstone.server.metrics;

import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.broker.report.BrokerReport;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.transport.vertx.EventLoops;
import dev.turnstone.transport.vertx.HttpRoutes;
import dev.turnstone.transport.vertx.PeerAddress;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /health/live}, {@code /health/ready} and {@code /metrics} of one broker, for its HTTP listeners. The first two
 * tell a stranger one word; {@code /metrics} names addresses, and is for whoever can log in. Any thread.
 */
public final class HealthRoutes {
    private static final long ANSWER_MS = 5_000;
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final String BASIC = "basic ";
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;
    private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1");
    private static final Logger LOG = LoggerFactory.getLogger(HealthRoutes.class);
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
        ask(broker.report(0), (report, failure) -> {
            boolean live = failure == null;
            end(request, live ? 200 : 503, PLAIN, live ? "live\n" : "the engine does not answer\n");
        });
    }

    /** Ready is one that is alive and has bound its listeners. */
    private void ready(HttpServerRequest request) {
        ask(broker.report(0), (report, failure) -> {
            boolean now = failure == null && ready.get();
            end(request, now ? 200 : 503, PLAIN, now ? "ready\n" : "not ready\n");
        });
    }

    /** The login is that of every client, by HTTP's basic authentication (RFC 7617). */
    private void metricsForUsers(HttpServerRequest request) {
        Login login = login(request);
        if (login.user() == null && login.isLoopback() && !isForThisMachine(request)) {
            end(request, 421, PLAIN, "without a user this is for localhost, 127.0.0.1 and [::1]\n");
            return;
        }
        Context context = Vertx.currentContext();
        // The request waits: what comes behind it is not read before it is answered.
        scrapers.admit(login).whenComplete((admitted, fault) -> {
            if (fault == null) {
                metrics(request, admitted, context);
                return;
            }
            Throwable cause =
                    fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
            int status = status(cause);
            if (status == UNAUTHORIZED) {
                request.response().putHeader("www-authenticate", "Basic realm=\"turnstone\", charset=\"UTF-8\"");
            }
            end(request, status, PLAIN, (cause == null ? "refused" : cause.getMessage()) + "\n");
        });
    }

    private static int status(@Nullable Throwable cause) {
        ErrorCode code = cause instanceof BrokerException refusal ? refusal.code() : ErrorCode.STOPPED;
        return switch (code) {
            case UNAUTHENTICATED -> UNAUTHORIZED;
            case FORBIDDEN -> FORBIDDEN;
            default -> UNAVAILABLE;
        };
    }

    /** A page of somebody's can have its name lead to this machine, but then the browser says that name. */
    private static boolean isForThisMachine(HttpServerRequest request) {
        HostAndPort authority = request.authority();
        return authority != null && OWN_NAMES.contains(authority.host().toLowerCase(Locale.ROOT));
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
        return new Login(user, password, null, "http", PeerAddress.text(PeerAddress.of(request)));
    }

    /** The numbers of an address are for whoever may manage it; those of all together are for every user. */
    private void metrics(HttpServerRequest request, Connection connection, Context context) {
        ask(broker.report(addressesMax, connection), (report, failure) -> {
            if (failure != null) {
                end(request, UNAVAILABLE, PLAIN, "the engine does not answer\n");
                return;
            }
            // Making a text of thousands of numbers takes a while.
            context.executeBlocking(() -> {
                        long turnedAway = EventLoops.of(broker.shared()).turnedAway();
                        return metrics.text(report, turnedAway, System.currentTimeMillis());
                    })
                    .onComplete(made -> {
                        if (made.succeeded()) {
                            end(request, 200, METRICS_TYPE, made.result());
                        } else {
                            LOG.error("the numbers could not be told", made.cause());
                            end(request, UNAVAILABLE, PLAIN, "the broker's log says why\n");
                        }
                    });
        });
    }

    private static void ask(CompletionStage<BrokerReport> asked, BiConsumer<BrokerReport, Throwable> answer) {
        CompletableFuture<?> unused = asked.toCompletableFuture()
                .orTimeout(ANSWER_MS, TimeUnit.MILLISECONDS)
                .whenComplete(answer);
    }

    private static void end(HttpServerRequest request, int status, String type, String text) {
        boolean body = !request.method().equals(HttpMethod.HEAD);
        request.response().setStatusCode(status).putHeader("content-type", type).end(body ? text : "");
    }
}
