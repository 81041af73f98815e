package dev.turnstone.testkit.sim;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.testkit.model.Violation;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A command that waits for its outcome, in a line in which the outcomes must come. */
final class Command implements Completion {
    private final String what;
    private final Deque<Command> line;
    private final Trace trace;
    private Runnable onDone = () -> {};
    private final Map<ErrorCode, Runnable> refusals = new EnumMap<>(ErrorCode.class);
    private boolean mustRefuse;
    private BooleanSupplier waits = () -> false;

    Command(String what, Deque<Command> line, Trace trace) {
        this.what = what;
        this.line = line;
        this.trace = trace;
        trace.add(what);
        line.add(this);
    }

    Command whenDone(Runnable action) {
        onDone = action;
        return this;
    }

    /** The broker may refuse it with one of these codes. */
    Command mayRefuse(Set<ErrorCode> codes, Runnable action) {
        codes.forEach(code -> refusals.put(code, action));
        return this;
    }

    /** The broker must refuse it with one of these codes. */
    Command mustRefuse(Set<ErrorCode> codes, Runnable action) {
        mustRefuse = true;
        return mayRefuse(codes, action);
    }

    /** Its outcome does not come as long as this is true. */
    Command mayWait(BooleanSupplier wait) {
        waits = wait;
        return this;
    }

    /** True if its outcome need not come yet. */
    boolean waits() {
        return waits.getAsBoolean();
    }

    @Override
    public void done() {
        trace.add("done: " + what);
        leaveLine();
        if (mustRefuse) {
            throw new Violation(Violation.Promise.REFUSAL, what + " was not refused with " + refusals.keySet());
        }
        onDone.run();
    }

    @Override
    public void failed(BrokerException cause) {
        trace.add("refused with " + cause.code() + ": " + what);
        leaveLine();
        Runnable onRefused = refusals.get(cause.code());
        if (onRefused == null) {
            throw new Violation(
                    Violation.Promise.REFUSAL, what + " was refused: " + cause.code() + ", " + cause.getMessage());
        }
        onRefused.run();
    }

    private void leaveLine() {
        Command next = line.poll();
        if (next != this) {
            throw new Violation(
                    Violation.Promise.CONFIRMATION,
                    "the outcome of '" + what + "' came when " + (next == null ? "none" : "that of '" + next + "'")
                            + " was due");
        }
    }

    @Override
    public String toString() {
        return what;
    }
}
