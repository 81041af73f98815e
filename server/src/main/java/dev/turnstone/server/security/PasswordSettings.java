package dev.turnstone.server.security;

import dev.turnstone.server.config.Configuration;
import dev.turnstone.server.config.Setting;

/**
 * How passwords are kept and checked.
 *
 * @param iterations setting {@code security.passwords.iterations}: of the hash, for passwords that are set from now on
 * @param rememberedMax setting {@code security.passwords.rememberedMax}: how many users' proven passwords are
 *     remembered as keyed digests in memory, so that a client that connects again need not wait for the slow hash; 0
 *     for none
 */
public record PasswordSettings(
        @Setting(
                value = "of the hash, for passwords that are set from now on",
                standard = "210000",
                least = PasswordHash.ITERATIONS_MIN,
                most = PasswordHash.ITERATIONS_MAX)
        int iterations,

        @Setting(
                value = "users whose proven password is remembered, as a keyed digest in memory; 0 for none",
                standard = "10000",
                least = 0,
                most = 10_000_000)
        int rememberedMax) {
    /** The default iterations; 10 000 users. */
    public static final PasswordSettings DEFAULTS = Configuration.standard(PasswordSettings.class);
}
