package dev.turnstone.server.security;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * What is kept of a password: a salted PBKDF2 hash (RFC 8018) with HMAC-SHA-512, written
 * {@code $pbkdf2-sha512$i=210000$SALT$HASH} in Base64 without padding. Immutable; slow on purpose.
 */
final class PasswordHash {
    /** What an attacker must do for each guess, unless configured otherwise: about 0.1 s on one core. */
    static final int ITERATIONS = 210_000;

    static final int ITERATIONS_MIN = 1_000;
    static final int ITERATIONS_MAX = 10_000_000;
    private static final String ALGORITHM = "PBKDF2WithHmacSHA512";
    private static final int SALT_BYTES = 16;
    private static final int KEY_BYTES = 32;
    private static final Pattern FORM =
            Pattern.compile("\\$pbkdf2-sha512\\$i=(\\d{4,8})\\$([A-Za-z0-9+/]{22})\\$([A-Za-z0-9+/]{43})");

    private final int iterations;
    private final byte[] salt;
    private final byte[] key;

    private PasswordHash(int iterations, byte[] salt, byte[] key) {
        this.iterations = iterations;
        this.salt = salt;
        this.key = key;
    }

    /** Hashes a password with a new salt. */
    static PasswordHash of(String password, int iterations, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new PasswordHash(iterations, salt, derive(password, salt, iterations));
    }

    /**
     * Reads the written form.
     *
     * @throws IllegalArgumentException if it is not of that form
     */
    static PasswordHash parse(String written) {
        Matcher form = FORM.matcher(written);
        if (!form.matches()) {
            throw new IllegalArgumentException("not a password hash of the form $pbkdf2-sha512$i=N$SALT$HASH");
        }
        int iterations = Integer.parseInt(form.group(1));
        if (iterations < ITERATIONS_MIN || iterations > ITERATIONS_MAX) {
            throw new IllegalArgumentException(
                    "i=" + iterations + " is not between " + ITERATIONS_MIN + " and " + ITERATIONS_MAX);
        }
        Base64.Decoder decoder = Base64.getDecoder();
        return new PasswordHash(iterations, decoder.decode(form.group(2)), decoder.decode(form.group(3)));
    }

    /** True if it is this password's; takes as long for a wrong one. */
    boolean matches(String password) {
        return MessageDigest.isEqual(key, derive(password, salt, iterations));
    }

    /** Takes as long as so many iterations; none if that is not positive. */
    void spend(String password, int more) {
        if (more > 0) {
            byte[] unused = derive(password, salt, more);
        }
    }

    int iterations() {
        return iterations;
    }

    /** Tells one setting of a password from every other; not secret. */
    String saltText() {
        return text(salt);
    }

    private static byte[] derive(String password, byte[] salt, int iterations) {
        PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, 8 * KEY_BYTES);
        try {
            return SecretKeyFactory.getInstance(ALGORITHM).generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot do " + ALGORITHM, e);
        } finally {
            spec.clearPassword();
        }
    }

    private static String text(byte[] bytes) {
        return Base64.getEncoder().withoutPadding().encodeToString(bytes);
    }

    /** The written form. */
    @Override
    public String toString() {
        return "$pbkdf2-sha512$i=" + iterations + "$" + text(salt) + "$" + text(key);
    }
}
