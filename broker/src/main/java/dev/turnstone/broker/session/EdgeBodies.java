package dev.turnstone.broker.session;

import dev.turnstone.port.Completion;
import dev.turnstone.port.Message;
import dev.turnstone.port.StoredBodies;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** The commands of an {@link EdgeSession} that concern bodies stored apart. Its owner's thread only. */
final class EdgeBodies implements StoredBodies {
    private final Consumer<Command> session;

    EdgeBodies(Consumer<Command> session) {
        this.session = session;
    }

    @Override
    public void start(long body, boolean persistent, Completion completion) {
        session.accept(new BodyCommand.Start(body, persistent, completion));
    }

    @Override
    public void append(long body, ByteBuffer chunk, Completion completion) {
        session.accept(new BodyCommand.Append(body, chunk, completion));
    }

    @Override
    public void open(long body, Message message, Completion completion) {
        session.accept(new BodyCommand.Open(body, message, completion));
    }

    @Override
    public void read(long body, long chunk, Consumer<ByteBuffer> reader, Completion completion) {
        session.accept(new BodyCommand.Read(body, chunk, reader, completion));
    }

    @Override
    public void close(long body) {
        session.accept(new BodyCommand.Close(body));
    }
}
