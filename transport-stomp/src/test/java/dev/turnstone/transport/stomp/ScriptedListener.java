package dev.turnstone.transport.stomp;

import static org.awaitility.Awaitility.await;

import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A listener with a scripted broker behind it, for each test a new one. */
final class ScriptedListener implements BeforeEachCallback, AfterEachCallback {
    private final ScriptedBroker broker = new ScriptedBroker();
    private @Nullable StompListener listener;

    @Override
    public void beforeEach(ExtensionContext context) {
        listener = new StompListener(broker, "lingerMs", "1000", "heartBeatMs", "100");
    }

    @Override
    public void afterEach(ExtensionContext context) {
        listener().close();
    }

    ScriptedBroker broker() {
        return broker;
    }

    StompListener listener() {
        if (listener == null) {
            throw new IllegalStateException("the test has not begun");
        }
        return listener;
    }

    /** The session of the last client that has logged in. */
    ScriptedSession session() {
        if (broker.sessions.isEmpty()) {
            await().until(() -> !broker.sessions.isEmpty());
        }
        return broker.sessions.get(broker.sessions.size() - 1);
    }

    static Delivery delivery(int consumer, long number, byte[] body) {
        Message message = MessageBuilder.to(Address.queue("a"))
                .id("m" + number)
                .bytes(body)
                .build();
        return new Delivery(consumer, number, number, message, 1, false);
    }
}
