package dev.turnstone.testkit.model;

import dev.turnstone.port.Address;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message that was given to the broker, and what is known of it. */
public final class Sent {
    enum State {
        /** Asked for; not known whether it took effect. */
        GIVEN,
        /** Took effect: confirmed, or seen. */
        DONE,
        /** Had no effect: refused or rolled back. */
        ABSENT
    }

    /**
     * What was sent.
     *
     * @param id unique in a run
     * @param kind the property that selectors look at
     * @param expiryMs as in the message, 0 for never
     * @param group its group, or null
     * @param key the property that a queue of last values looks at, or null
     * @param dueMs when it may be delivered, 0 for at once
     */
    public record Content(
            String id,
            Address address,
            String kind,
            boolean persistent,
            int priority,
            long expiryMs,
            @Nullable String group,
            @Nullable String key,
            long dueMs) {
        /** What it is where it is moved to: all that it was, but that it has no time any more. */
        Content movedTo(Address other) {
            return new Content(id + " moved", other, kind, persistent, priority, 0, group, key, 0);
        }
    }

    private static final long NOT_YET = -1;

    final Content content;
    final Producer producer;
    final @Nullable Unit unit;
    final List<Entry> entries = new ArrayList<>();
    State state = State.GIVEN;
    /** False when its session is gone, so that it can no longer take effect. */
    boolean pending = true;
    /** Where it stands among the producer's messages: by the command that makes it effective, then by its own. */
    long order = NOT_YET;

    private long position = NOT_YET;

    Sent(Content content, Producer producer, @Nullable Unit unit) {
        this.content = content;
        this.producer = producer;
        this.unit = unit;
    }

    long position() {
        return position;
    }

    boolean effectGiven() {
        return order != NOT_YET;
    }

    /** Learns the position from a delivery. */
    void at(long seen) {
        Violation.check(
                position == NOT_YET || position == seen,
                Violation.Promise.POSITION,
                this + " was at position " + position + " and is at " + seen);
        position = seen;
    }

    /** True if a queue that it goes to may have no room for it yet. */
    public boolean mayHaveToWait() {
        return entries.stream().anyMatch(Fullness::mayHaveToWait);
    }

    /** It was refused. */
    public void isRefused() {
        Violation.check(state == State.GIVEN, Violation.Promise.REFUSAL, this + " was delivered and is refused");
        state = State.ABSENT;
        pending = false;
    }

    boolean expiredAt(long nowMs) {
        return content.expiryMs() != 0 && content.expiryMs() <= nowMs;
    }

    @Override
    public String toString() {
        return content.id() + (content.persistent() ? "" : " (not persistent)") + " to " + content.address();
    }
}
