package dev.turnstone.spi;

import org.jspecify.annotations.Nullable;

/**
 * Something that matters to whoever asks later who did what. Holds no secret. Immutable.
 *
 * @param user the user's name, as claimed if a login was refused
 * @param remote from where
 * @param protocol by which protocol
 * @param connection the connection's id; null if there is none yet
 * @param what what was asked for: {@code login}, {@code logout}, {@code send}, {@code user add} ...
 * @param on what it was asked for about: an address, a user; null for nothing
 * @param outcome what came of it
 * @param reason why it came so, in words; null if that needs none
 */
public record AuditEvent(
        String user,
        String remote,
        String protocol,
        @Nullable String connection,
        String what,
        @Nullable String on,
        Outcome outcome,
        @Nullable String reason) {
    /** What came of what was asked for. */
    public enum Outcome {
        /** It was done. */
        DONE,
        /** It was refused. */
        REFUSED
    }
}
