package dev.turnstone.testkit.sim;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Message;
import dev.turnstone.port.StoredBodies;
import dev.turnstone.testkit.model.Violation;
import java.util.function.Function;

/** Reads the bodies that are stored apart of what one session is given, and checks each chunk. One thread. */
final class SimBodies {
    private final StoredBodies port;
    private final Function<String, Command> commands;
    private final Contents contents;
    private long opened;
    private int underWay;

    /** Through this port; its commands whose outcomes come in order are made by the function. */
    SimBodies(StoredBodies port, Function<String, Command> commands, Contents contents) {
        this.port = port;
        this.commands = commands;
        this.contents = contents;
    }

    /** True if no chunk is on its way. */
    boolean idle() {
        return underWay == 0;
    }

    /** Asks for all of the body of a message that the session has: the chunks come, whatever becomes of the message. */
    void read(Message message) {
        long body = ++opened;
        port.open(body, message, commands.apply("opens the body of " + message.id()));
        for (long at = 0; at * message.storedChunkBytes() < message.bodyLength(); at++) {
            long chunk = at;
            underWay++;
            port.read(body, chunk, content -> contents.check(message, chunk, content), new Completion() {
                @Override
                public void done() {
                    underWay--;
                }

                @Override
                public void failed(BrokerException cause) {
                    throw new Violation(
                            Violation.Promise.CONTENT,
                            "chunk " + chunk + " of " + message.id() + " cannot be read: " + cause.getMessage());
                }
            });
        }
        port.close(body);
    }
}
