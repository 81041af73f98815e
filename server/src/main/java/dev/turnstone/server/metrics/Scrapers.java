package dev.turnstone.server.metrics;

import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ConnectionListener;
import dev.turnstone.port.Login;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who may read the numbers. A login is a connection that stays for a while, so that who asks every few seconds is
 * checked, and written to the audit log, once in that time; the broker ends it when the user may no longer connect. Any
 * thread.
 */
final class Scrapers {
    private static final int MOST = 16;
    /** So long a login holds. */
    static final long HOLDS_MS = 600_000;

    private final Broker broker;
    private final LongSupplier clock;
    /** By who they are, those that were there longest first. */
    private final Map<String, Scraper> known = new LinkedHashMap<>();

    Scrapers(Broker broker, LongSupplier clock) {
        this.broker = broker;
        this.clock = clock;
    }

    /** One login; ended when the broker says so. */
    private static final class Scraper implements ConnectionListener {
        private final long untilMs;
        private volatile boolean ended;
        private volatile @Nullable Connection connection;

        Scraper(long untilMs) {
            this.untilMs = untilMs;
        }

        @Override
        public void closed(BrokerException cause) {
            ended = true;
        }

        void close() {
            Connection open = connection;
            if (open != null) {
                CompletionStage<Void> unused = open.close();
            }
        }
    }

    /** Completes with the peer's connection when it is let in; fails as a login does. */
    CompletionStage<Connection> admit(Login login) {
        String key = key(login);
        long nowMs = clock.getAsLong();
        Connection held = held(key, nowMs);
        if (held != null) {
            return CompletableFuture.completedFuture(held);
        }
        Scraper scraper = new Scraper(nowMs + HOLDS_MS);
        return broker.connect(login, scraper).thenApply(connection -> {
            scraper.connection = connection;
            keep(key, scraper);
            return connection;
        });
    }

    private synchronized @Nullable Connection held(String key, long nowMs) {
        Iterator<Scraper> all = known.values().iterator();
        while (all.hasNext()) {
            Scraper one = all.next();
            if (one.ended || one.untilMs <= nowMs) {
                one.close();
                all.remove();
            }
        }
        Scraper scraper = known.get(key);
        return scraper == null ? null : scraper.connection;
    }

    private synchronized void keep(String key, Scraper scraper) {
        Scraper before = known.put(key, scraper);
        if (before != null) {
            before.close();
        }
        if (known.size() > MOST) {
            known.remove(known.keySet().iterator().next()).close();
        }
    }

    /** Never the password itself; and from another machine it is another login. */
    private static String key(Login login) {
        String host = login.remote().substring(0, Math.max(0, login.remote().lastIndexOf(':')));
        String secret = host + '\0' + login.user() + '\0' + login.password();
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // Every JVM has it.
        }
    }
}
