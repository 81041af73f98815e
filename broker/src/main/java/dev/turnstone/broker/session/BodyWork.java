package dev.turnstone.broker.session;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.store.Bodies;
import dev.turnstone.broker.store.Body;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.Send;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The bodies stored apart that a session makes and reads, by its numbers. Owned by the engine thread. */
final class BodyWork {
    private final SessionContext context;
    private final Bodies bodies;
    private final Outlet outlet;
    private final Map<Long, Held> held = new HashMap<>(0);
    /** Chunks that the disk has not dealt with. */
    private int underWay;

    /** A body that the session holds. */
    private static final class Held {
        final Body body;
        /** True if the session makes it, and may add to it. */
        boolean open;
        /** Chunks that are not stored yet. */
        int underWay;

        Held(Body body) {
            this.body = body;
        }
    }

    BodyWork(SessionContext context, Outlet outlet) {
        this.context = context;
        this.bodies = context.addresses().store().bodies();
        this.outlet = outlet;
    }

    private void checkFree(long number) {
        int max = context.limits().intOf(Limit.BODIES_MAX);
        if (held.size() >= max) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "the session makes or reads " + max + " large bodies already (" + Limit.BODIES_MAX.setting() + ")");
        }
        if (number == 0 || held.containsKey(number)) {
            throw invalid("the session has a body " + number + " already");
        }
    }

    private static BrokerException invalid(String why) {
        return new BrokerException(ErrorCode.INVALID_MESSAGE, why);
    }

    private Held get(long number) {
        Held found = held.get(number);
        if (found == null) {
            throw invalid("the session has no body " + number);
        }
        return found;
    }

    void start(long number, boolean persistent, Completion completion) {
        checkFree(number);
        checkRoom();
        Held made = new Held(bodies.create(context.limits().intOf(Limit.MESSAGE_CHUNK_BYTES), persistent));
        made.open = true;
        held.put(number, made);
        outlet.confirm(completion, 0);
    }

    /** Chunks go to the disk whether they must survive or not, and a disk without a byte stops the broker. */
    private void checkRoom() {
        context.checkMemory();
        context.disk().check();
    }

    void append(long number, ByteBuffer chunk, Completion completion) {
        Held to = get(number);
        Body body = to.body;
        int bytes = chunk.remaining();
        if (!to.open || bytes == 0 || bytes > body.chunkBytes()) {
            throw invalid("a chunk of " + bytes + " bytes for a body that is complete, or whose chunks have "
                    + body.chunkBytes());
        }
        checkRoom();
        long max = context.limits().of(Limit.MESSAGE_LARGE_BYTES_MAX);
        if (body.length() + bytes > max || body.length() / body.chunkBytes() >= Bodies.CHUNKS_MAX) {
            close(number);
            throw tooLarge(body.length() + bytes, max);
        }
        to.open = bytes == body.chunkBytes();
        to.underWay++;
        underWay++;
        bodies.append(body, chunk, () -> {
            to.underWay--;
            underWay--;
            outlet.answer(completion);
        });
    }

    private static BrokerException tooLarge(long bytes, long max) {
        return new BrokerException(
                ErrorCode.MESSAGE_TOO_LARGE,
                "a body of at least " + bytes + " bytes is larger than " + Limit.MESSAGE_LARGE_BYTES_MAX.setting() + "="
                        + max + ", or than " + Bodies.CHUNKS_MAX + " chunks of "
                        + Limit.MESSAGE_CHUNK_BYTES.setting());
    }

    /** True if a command has to do with chunks, and must wait until the disk has dealt with others. */
    boolean mustWait(Command command) {
        if (command instanceof BodyCommand.Append || command instanceof BodyCommand.Read) {
            return underWay >= context.limits().intOf(Limit.BODY_CHUNKS_MAX);
        }
        if (command instanceof Command.SendMessage send && send.send().body() != 0) {
            Held from = held.get(send.send().body());
            return from != null && from.underWay > 0;
        }
        return false;
    }

    void open(long number, Message message, Completion completion) {
        checkFree(number);
        Body body = message.hasStoredBody() ? bodies.find(message) : null;
        if (body == null) {
            throw new BrokerException(
                    ErrorCode.NO_SUCH_DELIVERY,
                    "the body of the message is gone: nobody holds the message any more, or it has its body");
        }
        body.hold();
        held.put(number, new Held(body));
        outlet.confirm(completion, 0);
    }

    void read(BodyCommand.Read asked) {
        Held from = get(asked.body());
        Body body = from.body;
        if (from.underWay > 0 || asked.chunk() < 0 || asked.chunk() * body.chunkBytes() >= body.length()) {
            throw invalid("the body has no chunk " + asked.chunk() + ", or is not stored yet");
        }
        underWay++;
        context.memory().add(body.chunkBytes());
        bodies.read(body, asked.chunk(), content -> {
            underWay--;
            context.memory().remove(body.chunkBytes());
            outlet.read(asked, content);
        });
    }

    void close(long number) {
        Held closed = held.remove(number);
        if (closed != null) {
            bodies.release(closed.body);
        }
    }

    /**
     * The message to send: it says where its body is.
     *
     * @throws BrokerException INVALID_MESSAGE if the session has no such body, or not completely
     */
    Message message(Send send) {
        Message message = send.message();
        if (!message.hasStoredBody()) {
            if (send.body() != 0) {
                throw invalid("the message has its body in one piece, and names a body that is stored apart");
            }
            return message;
        }
        Held from = get(send.body());
        boolean fleeting = message.persistent() && !from.body.durable();
        if (from.body.length() == 0 || fleeting) {
            throw invalid("the body " + send.body() + " is not stored, or not for a persistent message");
        }
        // It is what this message says: were it longer later, a restart would not know which length is the right one.
        from.open = false;
        return message.withStoredBody(from.body.id(), from.body.length(), from.body.chunkBytes());
    }

    /** The session ends. */
    void end() {
        held.values().forEach(each -> bodies.release(each.body));
        held.clear();
    }
}
