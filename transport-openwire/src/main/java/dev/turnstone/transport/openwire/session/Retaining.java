package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Message;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties by which clients ask a topic to retain a message, and are told that one was retained: the names of
 * ActiveMQ's retained messages, and those that Jakarta Messaging has here. Any thread.
 */
final class Retaining {
    private static final Set<String> ASK = Set.of("JMS_TURNSTONE_RETAIN", "ActiveMQ.Retain");
    private static final Set<String> MARKS = Set.of("JMS_TURNSTONE_RETAINED", "ActiveMQ.Retained");

    private Retaining() {}

    static boolean asks(String property) {
        return ASK.contains(property);
    }

    /** True for what the broker says with a delivery; sent on, a message is not marked. */
    static boolean isMark(String property) {
        return MARKS.contains(property);
    }

    static void mark(Message message, Map<String, @Nullable Object> properties) {
        if (message.retained()) {
            MARKS.forEach(name -> properties.put(name, true));
        }
    }
}
