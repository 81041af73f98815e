package dev.turnstone.server.security;

import dev.turnstone.journal.thread.FolderThread;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.Principal;
import dev.turnstone.transport.vertx.PeerAddress;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes guessing slow: after some failures of a user, or from an address, each further login waits before it is looked
 * at, longer and longer, right or wrong. Nobody is locked out for good, since that would let anybody lock out anybody.
 * Any thread.
 */
final class LoginThrottle implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoginThrottle.class);
    private static final long FIRST_DELAY_MS = 100;
    private static final int DOUBLINGS_MAX = 20;
    private static final Pattern SPACES = Pattern.compile("\\s+");

    private final ThrottleSettings settings;
    private final LongSupplier clockMs;
    private final ScheduledThreadPoolExecutor timer;
    private final Failures users;
    private final Failures addresses;
    private final Map<String, Integer> waiting = new HashMap<>();

    /**
     * With these limits.
     *
     * @param data the broker's folder, which lines of the log name
     */
    LoginThrottle(ThrottleSettings settings, LongSupplier clockMs, Path data) {
        this.settings = settings;
        this.clockMs = clockMs;
        this.users = new Failures(settings.entriesMax(), settings.forgetAfterMs());
        this.addresses = new Failures(settings.entriesMax(), settings.forgetAfterMs());
        this.timer = new ScheduledThreadPoolExecutor(1, task -> FolderThread.of("turnstone-login-timer", data, task));
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Checks a login with an authenticator, when its time has come. */
    CompletionStage<Principal> check(Login login, Authenticator authenticator) {
        String address = host(login);
        boolean suspect = addresses.of(address, clockMs.getAsLong()) >= settings.addressFailuresFree();
        int max = suspect ? settings.delayedPerAddressMax() : settings.waitingPerAddressMax();
        if (!enter(address, max)) {
            return CompletableFuture.failedStage(new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    max + " logins from " + address + " wait already (security.throttle."
                            + (suspect ? "delayedPerAddressMax" : "waitingPerAddressMax") + ")"));
        }
        return after(delayMs(login), () -> authenticator.authenticate(login)).whenComplete((principal, fault) -> {
            leave(address);
            settle(login, fault);
        });
    }

    /** What the check throws fails the stage, as whoever has entered must leave. */
    private CompletionStage<Principal> after(long delayMs, Supplier<CompletionStage<Principal>> check) {
        CompletableFuture<Void> due = new CompletableFuture<>();
        if (delayMs == 0) {
            due.complete(null);
        } else {
            ScheduledFuture<?> unused = timer.schedule(() -> due.complete(null), delayMs, TimeUnit.MILLISECONDS);
        }
        return due.thenCompose(now -> check.get());
    }

    /** How long this login has to wait now. */
    long delayMs(Login login) {
        long now = clockMs.getAsLong();
        int failures = addresses.of(host(login), now) - settings.addressFailuresFree();
        String user = user(login);
        if (user != null) {
            failures = Math.max(failures, users.of(user, now) - settings.userFailuresFree());
        }
        if (failures < 0) {
            return 0;
        }
        return Math.min(settings.delayMaxMs(), FIRST_DELAY_MS << Math.min(failures, DOUBLINGS_MAX));
    }

    private void settle(Login login, @Nullable Throwable fault) {
        String user = user(login);
        if (fault == null) {
            if (user != null) {
                users.forget(user);
            }
            return;
        }
        Throwable cause = fault instanceof CompletionException wrapped ? wrapped.getCause() : fault;
        if (!(cause instanceof BrokerException refusal) || refusal.code() != ErrorCode.UNAUTHENTICATED) {
            return;
        }
        long now = clockMs.getAsLong();
        if (user != null) {
            users.add(user, now);
        }
        int failures = addresses.add(host(login), now);
        if (failures == settings.addressFailuresFree()) {
            LoginLabels.during(login, () -> {
                LOG.warn(
                        "{}: {} logins have failed; each further one from there waits up to {} ms",
                        host(login),
                        failures,
                        settings.delayMaxMs());
                return failures;
            });
        }
    }

    /** Who is protected from guesses: whatever is one user to a directory is one; null for a token without a name. */
    private static @Nullable String user(Login login) {
        String name = login.user();
        if (name == null || name.isEmpty()) {
            return null;
        }
        String begin = name.length() > User.NAME_CHARS_MAX ? name.substring(0, User.NAME_CHARS_MAX) : name;
        return normalized(begin);
    }

    /** A name without what directories do not look at (RFC 4518): case, and more than one space. */
    static String normalized(String name) {
        return SPACES.matcher(Normalizer.normalize(name, Normalizer.Form.NFKC))
                .replaceAll(" ")
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    private synchronized boolean enter(String address, int max) {
        int before = waiting.getOrDefault(address, 0);
        if (before >= max) {
            return false;
        }
        waiting.put(address, before + 1);
        return true;
    }

    private synchronized void leave(String address) {
        waiting.computeIfPresent(address, (known, count) -> count == 1 ? null : count - 1);
    }

    /** The address, or its network, without the port, which is another for each connection. */
    private static String host(Login login) {
        String remote = login.remote();
        int colon = remote.lastIndexOf(':');
        return PeerAddress.network(colon < 0 ? remote : remote.substring(0, colon));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
