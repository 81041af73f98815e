package dev.turnstone.testkit.contract;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of one command. Heard once, or the test fails. */
public final class Reply implements Completion {
    private final String command;
    private final List<Reply> heard;
    private boolean done;
    private @Nullable BrokerException cause;

    Reply(String command, List<Reply> heard) {
        this.command = command;
        this.heard = heard;
    }

    @Override
    public void done() {
        once();
        done = true;
    }

    @Override
    public void failed(BrokerException cause) {
        once();
        this.cause = cause;
    }

    private void once() {
        if (isHeard()) {
            throw new AssertionError("a second outcome of " + command);
        }
        heard.add(this);
    }

    /** True as soon as there is an outcome. */
    public boolean isHeard() {
        return done || cause != null;
    }

    /** True if the command took effect. */
    public boolean isDone() {
        return done;
    }

    /** Why it was refused, or null. */
    public @Nullable ErrorCode refusal() {
        return cause == null ? null : cause.code();
    }

    /** What the refusal says to people, or null. */
    public @Nullable String refusalText() {
        return cause == null ? null : cause.getMessage();
    }

    @Override
    public String toString() {
        return command + (done ? ": done" : cause != null ? ": " + cause.code() + ", " + cause.getMessage() : ": open");
    }
}
