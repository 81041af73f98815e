package dev.turnstone.server.load;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * How one protocol sends and receives under load; a protocol more is an implementation more, and an entry where the
 * command line chooses. Any thread.
 */
public interface LoadProtocol {
    /** How its consumers may acknowledge; the first is what they do if nothing is said. */
    List<String> acknowledgeModes();

    /** Why the protocol cannot put this load on a broker; empty if it can. */
    default String refusal(LoadPlan plan) {
        return "";
    }

    /** Connects a producer. What goes wrong on a thread of its own is told to {@code failed}. */
    LoadSender sender(LoadPlan plan, int number, Consumer<IOException> failed) throws IOException;

    /** Connects a consumer; when this returns, it gets what is sent from now on. */
    LoadReceiver receiver(LoadPlan plan, int number) throws IOException;
}
