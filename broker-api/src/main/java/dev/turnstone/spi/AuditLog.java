package dev.turnstone.spi;

/** Takes note of logins, refusals and changes of users. Any thread, the engine's too: returns at once. */
@FunctionalInterface
public interface AuditLog {
    /** Takes note of nothing. */
    AuditLog NONE = event -> {};

    /** Takes note of an event that happens now. */
    void record(AuditEvent event);
}
