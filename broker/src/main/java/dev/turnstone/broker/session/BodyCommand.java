package dev.turnstone.broker.session;

import dev.turnstone.port.Completion;
import dev.turnstone.port.Message;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A command that concerns a body that is stored apart. Immutable. */
sealed interface BodyCommand extends Command {
    /** Does it; in the engine. */
    void execute(BodyWork work);

    @Override
    default void execute(SessionWork session) {
        execute(session.units().bodies());
    }

    record Start(long body, boolean persistent, Completion completion) implements BodyCommand {
        @Override
        public void execute(BodyWork work) {
            work.start(body, persistent, completion);
        }
    }

    record Append(long body, ByteBuffer chunk, Completion completion) implements BodyCommand {
        @Override
        public void execute(BodyWork work) {
            work.append(body, chunk, completion);
        }
    }

    record Open(long body, Message message, Completion completion) implements BodyCommand {
        @Override
        public void execute(BodyWork work) {
            work.open(body, message, completion);
        }
    }

    record Read(long body, long chunk, Consumer<ByteBuffer> reader, Completion completion) implements BodyCommand {
        @Override
        public void execute(BodyWork work) {
            work.read(this);
        }
    }

    record Close(long body) implements BodyCommand {
        @Override
        public @Nullable Completion completion() {
            return null;
        }

        @Override
        public void execute(BodyWork work) {
            work.close(body);
        }
    }
}
