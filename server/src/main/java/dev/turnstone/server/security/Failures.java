package dev.turnstone.server.security;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts failed logins by a key, for a while, for at most so many keys: those that failed longest ago are forgotten
 * first. Any thread.
 */
final class Failures {
    private final long forgetAfterMs;
    private final Map<String, Count> counts;

    private static final class Count {
        int failures;
        long lastMs;
    }

    Failures(int keysMax, long forgetAfterMs) {
        this.forgetAfterMs = forgetAfterMs;
        this.counts = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Count> eldest) {
                return size() > keysMax;
            }
        };
    }

    /** How often it has failed lately. */
    synchronized int of(String key, long nowMs) {
        Count count = counts.get(key);
        if (count == null) {
            return 0;
        }
        if (nowMs - count.lastMs >= forgetAfterMs) {
            counts.remove(key);
            return 0;
        }
        return count.failures;
    }

    /** It has failed once more; returns how often now. */
    synchronized int add(String key, long nowMs) {
        int before = of(key, nowMs);
        Count count = counts.computeIfAbsent(key, unknown -> new Count());
        count.failures = before + 1;
        count.lastMs = nowMs;
        return count.failures;
    }

    /** It has succeeded. */
    synchronized void forget(String key) {
        counts.remove(key);
    }

    synchronized int size() {
        return counts.size();
    }
}
