package dev.turnstone.server.security;

/**
 * How passwords are kept and checked.
 *
 * @param iterations setting {@code security.passwords.iterations}: of the hash, for passwords that are set from now on
 * @param rememberedMax setting {@code security.passwords.rememberedMax}: how many users' proven passwords are
 *     remembered as keyed digests in memory, so that a client that connects again need not wait for the slow hash; 0
 *     for none
 */
public record PasswordSettings(int iterations, int rememberedMax) {
    /** The fewest iterations. */
    public static final int ITERATIONS_MIN = PasswordHash.ITERATIONS_MIN;

    /** The most iterations. */
    public static final int ITERATIONS_MAX = PasswordHash.ITERATIONS_MAX;

    /** The default iterations; 10 000 users. */
    public static final PasswordSettings DEFAULTS = new PasswordSettings(PasswordHash.ITERATIONS, 10_000);
}
