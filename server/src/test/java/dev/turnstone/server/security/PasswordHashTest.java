package dev.turnstone.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PasswordHashTest {
    private static final int FEW = PasswordHash.ITERATIONS_MIN;

    @Test
    void knowsItsPasswordAndNoOther() {
        PasswordHash hash = PasswordHash.of("correct horse", FEW, new SecureRandom());
        assertThat(hash.matches("correct horse")).isTrue();
        assertThat(hash.matches("correct horsf")).isFalse();
        assertThat(hash.matches("")).isFalse();
    }

    @Test
    void survivesBeingWritten() {
        PasswordHash hash = PasswordHash.of("pässwörd €", FEW, new SecureRandom());
        PasswordHash read = PasswordHash.parse(hash.toString());
        assertThat(read.matches("pässwörd €")).isTrue();
        assertThat(read).hasToString(hash.toString());
        assertThat(hash.toString()).startsWith("$pbkdf2-sha512$i=1000$").doesNotContain("pässwörd");
    }

    @Test
    void agreesWithAnIndependentImplementation() {
        // Python 3: hashlib.pbkdf2_hmac('sha512', b'password', b'saltsaltsaltsalt', 1000, 32)
        String known = "$pbkdf2-sha512$i=1000$c2FsdHNhbHRzYWx0c2FsdA$715rqIr5dXOVPpBhqqsugl037zT5bWJTWYmZtIcK8hA";
        assertThat(PasswordHash.parse(known).matches("password")).isTrue();
    }

    @Test
    void twoOfTheSamePasswordDiffer() {
        SecureRandom random = new SecureRandom();
        assertThat(PasswordHash.of("same", FEW, random).toString())
                .isNotEqualTo(PasswordHash.of("same", FEW, random).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain password",
                "$pbkdf2-sha512$i=1000$c2FsdA$c2FsdA",
                "$pbkdf2-sha512$i=999999999$c2FsdHNhbHRzYWx0c2FsdA$iMGVPa5vKXDUYhTmOwwj3kEMVzd1v5c9FGKV2LaoMCE",
                "$pbkdf2-sha1$i=1000$c2FsdHNhbHRzYWx0c2FsdA$iMGVPa5vKXDUYhTmOwwj3kEMVzd1v5c9FGKV2LaoMCE",
                "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"
            })
    void whatIsNoHashIsRefused(String written) {
        assertThatThrownBy(() -> PasswordHash.parse(written)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tooFewIterationsAreRefused() {
        String weak = PasswordHash.of("x", FEW, new SecureRandom()).toString().replace("i=1000", "i=0999");
        assertThatThrownBy(() -> PasswordHash.parse(weak)).hasMessage("i=999 is not between 1000 and 10000000");
    }
}
