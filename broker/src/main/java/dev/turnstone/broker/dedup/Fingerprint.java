package dev.turnstone.broker.dedup;

/**
 * Half of the SHA-256 digest of an identity: two identities that anybody can find have not the same one. Immutable.
 *
 * @param high the first eight bytes
 * @param low the next eight
 */
public record Fingerprint(long high, long low) {
    /** What {@link #opposite} changes. */
    private static final long OTHER = 0x9E3779B97F4A7C15L;

    /** Another fingerprint that belongs to the same identity. */
    public Fingerprint opposite() {
        return new Fingerprint(high ^ OTHER, low);
    }
}
