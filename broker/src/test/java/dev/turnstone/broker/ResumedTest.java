package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Principal;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A connection on behalf of a client that is not there. */
final class ResumedTest {
    private static final Login CLIENT = new Login(null, null, "c", "test", Login.SAME_JVM);

    private final TestBroker broker = new TestBroker();

    private CompletableFuture<Connection> connect() {
        var made = broker.engine.broker().connect(CLIENT, cause -> {}).toCompletableFuture();
        broker.run();
        return made;
    }

    @Test
    void itDoesNotTakeTheClientsIdentifierAndDoesNotGiveItBack() {
        assertThat(connect().join()).isNotNull();
        var resumed = broker.engine
                .broker()
                .resume(Principal.BROKER, CLIENT, cause -> {})
                .toCompletableFuture();
        broker.run();
        resumed.join().close();
        broker.run();
        assertThatThrownBy(connect()::join)
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLIENT_ID_IN_USE));
    }
}
