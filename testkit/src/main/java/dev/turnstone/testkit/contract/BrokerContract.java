package dev.turnstone.testkit.contract;

import dev.turnstone.port.Address;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What every part of the contract starts from: a broker on an empty folder. */
@Timeout(300)
public abstract class BrokerContract {
    static final Address ORDERS = Address.queue("orders");
    static final Address BILLS = Address.queue("bills");
    static final Address PRICES = Address.topic("prices");

    private @Nullable BrokerHost running;

    /** Starts a broker on an empty folder, with these values of named limits and the defaults of all others. */
    protected abstract BrokerHost start(Path folder, Map<String, String> limits);

    /** The limits that these tests want. */
    Map<String, String> limits() {
        return Map.of();
    }

    @BeforeEach
    final void startBroker(@TempDir Path folder) {
        running = start(folder, limits());
    }

    @AfterEach
    final void stopBroker() {
        host().close();
    }

    final BrokerHost host() {
        if (running == null) {
            throw new IllegalStateException("the broker was not started");
        }
        return running;
    }

    /** A session on a connection of its own. */
    final Peer peer() {
        return Peer.connect(host(), null);
    }

    /** A session on a connection with a client identifier. */
    final Peer peer(String clientId) {
        return Peer.connect(host(), clientId);
    }

    static Message text(Address address, String text) {
        return MessageBuilder.to(address).text(text).build();
    }

    static Message fleeting(Address address, String text) {
        return MessageBuilder.to(address).persistent(false).text(text).build();
    }
}
