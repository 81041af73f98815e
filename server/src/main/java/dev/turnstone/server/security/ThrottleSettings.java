package dev.turnstone.server.security;

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
        int userFailuresFree,
        int addressFailuresFree,
        int delayMaxMs,
        int forgetAfterMs,
        int entriesMax,
        int waitingPerAddressMax,
        int delayedPerAddressMax) {
    /** From the fourth failure of a user, or the eleventh from an address, on: 0.1 s, doubling up to 5 s. */
    public static final ThrottleSettings DEFAULTS = new ThrottleSettings(3, 10, 5_000, 900_000, 10_000, 100, 3);
}
