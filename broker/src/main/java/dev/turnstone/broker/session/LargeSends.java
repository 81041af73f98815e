package dev.turnstone.broker.session;

import dev.turnstone.broker.dedup.SentId;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Message;
import dev.turnstone.port.PortLimits;
import dev.turnstone.port.Send;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns a send whose body is too large for its message's record, though the edge has it in one piece, into the commands
 * that store the body apart. The edge's owner thread only.
 */
final class LargeSends {
    private final PortLimits limits;
    private final Consumer<Command> session;
    /** Below zero: the edge's own numbers are above. */
    private long numbers;

    LargeSends(PortLimits limits, Consumer<Command> session) {
        this.limits = limits;
        this.session = session;
    }

    /** True if the body must be stored apart, and may be. */
    static boolean takes(Message message, PortLimits limits) {
        return !message.hasStoredBody()
                && message.bodyBytes() > limits.messageBytesMax()
                && message.bodyBytes() <= limits.largeBytesMax();
    }

    void send(Send send, @Nullable SentId id, Completion completion) {
        Message message = send.message();
        long number = --numbers;
        Outcome outcome = new Outcome(completion);
        session.accept(new BodyCommand.Start(number, message.persistent(), outcome.ofPart()));
        ByteBuffer body = message.body();
        while (body.hasRemaining()) {
            ByteBuffer chunk = body.slice().limit(Math.min(limits.chunkBytes(), body.remaining()));
            body.position(body.position() + chunk.limit());
            session.accept(new BodyCommand.Append(number, chunk, outcome.ofPart()));
        }
        Message apart = message.toBuilder()
                .storedBody(message.bodyKind())
                .mandatory(message.mandatory())
                .build();
        Send withBody = new Send(apart, send.transaction(), send.dedup(), send.state(), send.relaxed(), number);
        session.accept(new Command.SendMessage(withBody, id, outcome));
        session.accept(new BodyCommand.Close(number));
    }

    /** Of the send: what went wrong with a part of its body is why it failed. */
    private static final class Outcome implements Completion {
        private final Completion completion;
        private @Nullable BrokerException first;

        Outcome(Completion completion) {
            this.completion = completion;
        }

        Completion ofPart() {
            return Completion.onFailure(cause -> first = first == null ? cause : first);
        }

        @Override
        public void done() {
            completion.done();
        }

        @Override
        public void failed(BrokerException cause) {
            completion.failed(first == null ? cause : first);
        }

        @Override
        public boolean wantsDone() {
            return completion.wantsDone();
        }
    }
}
