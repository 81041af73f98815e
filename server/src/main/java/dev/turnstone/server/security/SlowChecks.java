package dev.turnstone.server.security;

import dev.turnstone.journal.thread.FolderThread;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Runs what takes long about a login on threads of its own, so that neither an event loop nor the engine waits for it.
 * Remembers who has proved a password, so that clients that connect again and again do not pay each time: by a keyed
 * digest whose key never leaves this object. Any thread.
 */
final class SlowChecks implements AutoCloseable {
    private static final String DIGEST = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final int WAITING_MAX = 1_000;
    /** These only wait for somebody's answer. */
    private static final int ASKING_THREADS = 8;
    /** Whoever has waited so long has given up by now: a listener's time for logins is about as long. */
    private static final long WAIT_MAX_MS = 10_000;

    private final ThreadPoolExecutor threads;
    private final SecretKeySpec key;
    private final Map<String, byte[]> proven;

    private SlowChecks(ThreadFactory thread, int count, int provenMax) {
        threads = new ThreadPoolExecutor(
                count, count, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), thread);
        threads.allowCoreThreadTimeOut(true);
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        key = new SecretKeySpec(random, DIGEST);
        proven = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
                return size() > provenMax;
            }
        };
    }

    /**
     * For hashes of passwords: half as many threads as there are cores.
     *
     * @param data the broker's folder, which lines of the log name
     * @param provenMax how many users are remembered; 0 for none
     */
    static SlowChecks hashing(Path data, int provenMax) {
        int count = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        return new SlowChecks(task -> FolderThread.of("turnstone-login", data, task), count, provenMax);
    }

    /** For checks that ask another system, which may be slow: whoever needs none of it does not wait for it. */
    static SlowChecks asking(Path data, String whom) {
        return new SlowChecks(task -> FolderThread.of("turnstone-" + whom, data, task), ASKING_THREADS, 0);
    }

    /**
     * True if this password matches the hash; false also for a hash that is nobody's.
     *
     * @param iterations what a wrong password costs at least, so that the time does not tell whose hash it was
     */
    CompletionStage<Boolean> matches(String password, PasswordHash hash, int iterations) {
        byte[] proof = proof(password, hash);
        if (isProven(hash, proof)) {
            return CompletableFuture.completedStage(true);
        }
        return run(() -> {
            boolean matches = hash.matches(password);
            if (matches) {
                remember(hash, proof);
            } else {
                hash.spend(password, iterations - hash.iterations());
            }
            return matches;
        });
    }

    /**
     * Runs a check of a login that takes long; lines of the log say whose. The stage fails with LIMIT_EXCEEDED if too
     * many wait, or this one too long.
     */
    <T> CompletionStage<T> run(Login login, Supplier<T> check) {
        return run(() -> LoginLabels.during(login, check));
    }

    private <T> CompletionStage<T> run(Supplier<T> check) {
        long asked = System.nanoTime();
        try {
            return CompletableFuture.supplyAsync(
                    () -> {
                        if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked) > WAIT_MAX_MS) {
                            throw new BrokerException(
                                    ErrorCode.LIMIT_EXCEEDED, "the login has waited too long to be checked");
                        }
                        return check.get();
                    },
                    threads);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedStage(
                    new BrokerException(ErrorCode.LIMIT_EXCEEDED, "too many logins wait to be checked", e));
        }
    }

    private synchronized boolean isProven(PasswordHash hash, byte[] proof) {
        byte[] known = proven.get(hash.saltText());
        return known != null && MessageDigest.isEqual(known, proof);
    }

    private synchronized void remember(PasswordHash hash, byte[] proof) {
        proven.put(hash.saltText(), proof);
    }

    private byte[] proof(String password, PasswordHash hash) {
        try {
            Mac mac = Mac.getInstance(DIGEST);
            mac.init(key);
            mac.update(hash.toString().getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(password.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot do " + DIGEST, e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
