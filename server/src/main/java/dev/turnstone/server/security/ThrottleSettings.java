package dev.turnstone.server.security;

import dev.turnstone.server.config.Configuration;
import dev.turnstone.server.config.Setting;

/**
 * How failed logins slow down the next ones.
 *
 * @param userFailuresFree setting {@code security.throttle.userFailuresFree}: so many failures of one user cost nothing
 * @param addressFailuresFree setting {@code security.throttle.addressFailuresFree}: so many from one address cost
 *     nothing
 * @param delayMaxMs setting {@code security.throttle.delayMaxMs}: the longest that a login waits, milliseconds
 * @param forgetAfterMs setting {@code security.throttle.forgetAfterMs}: failures older than this do not count
 * @param entriesMax setting {@code security.throttle.entriesMax}: of how many users, and addresses, failures are kept
 * @param waitingPerAddressMax setting {@code security.throttle.waitingPerAddressMax}: logins from one address that are
 *     being checked or wait, at a time
 * @param delayedPerAddressMax setting {@code security.throttle.delayedPerAddressMax}: the same, once so many have
 *     failed that they wait: guessing with many connections at once is no faster than with few
 */
public record ThrottleSettings(
        @Setting(
                value = "failed logins of a user after which each further one waits",
                standard = "3",
                least = 0,
                most = 1_000_000)
        int userFailuresFree,

        @Setting(
                value = "failed logins from an address after which each further one waits",
                standard = "10",
                least = 0,
                most = 1_000_000)
        int addressFailuresFree,

        @Setting(value = "the longest that a login waits", standard = "5000", least = 0, most = 60_000)
        int delayMaxMs,

        @Setting(
                value = "time after which failures do not count any more",
                standard = "900000",
                least = 1_000,
                most = Integer.MAX_VALUE)
        int forgetAfterMs,

        @Setting(
                value = "users, and addresses, whose failures are kept",
                standard = "10000",
                least = 1,
                most = 10_000_000)
        int entriesMax,

        @Setting(
                value = "logins from one address that are being checked or wait",
                standard = "100",
                least = 1,
                most = 1_000_000)
        int waitingPerAddressMax,

        @Setting(
                value = "the same, from an address where so many have failed that they wait",
                standard = "3",
                least = 1,
                most = 1_000_000)
        int delayedPerAddressMax) {
    /** From the fourth failure of a user, or the eleventh from an address, on: 0.1 s, doubling up to 5 s. */
    public static final ThrottleSettings DEFAULTS = Configuration.standard(ThrottleSettings.class);
}
