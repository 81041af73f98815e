package dev.turnstone.broker.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.spi.BrokerConnector;
import java.net.URI;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class VmConnectorTest {
    @TempDir
    Path folder;

    private final BrokerConnector connector =
            ServiceLoader.load(BrokerConnector.class).findFirst().orElseThrow();

    private Connection connect(String more) {
        URI url = URI.create("vm://?data=" + folder.toUri().getPath() + more);
        return connector
                .connect(url, EmbeddedBrokerTest.LOGIN, cause -> {})
                .toCompletableFuture()
                .join();
    }

    private void assertRefused(String more, ErrorCode code, String said) {
        assertThatThrownBy(() -> connect(more))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining(said)
                .extracting("code")
                .isEqualTo(code);
    }

    private static void close(Connection connection) {
        connection.close().toCompletableFuture().join();
    }

    /** Only possible if no broker runs there. */
    private void assertFolderIsFree() {
        EmbeddedBroker.start(BrokerSettings.in(folder)).close();
    }

    @Test
    void twoConnectionsOfOneFolderShareABrokerThatEndsWithTheLast() throws InterruptedException {
        Connection first = connect("");
        Connection second = connect("/../" + folder.getFileName());
        new EdgeClient(first).send("q", "a");
        close(first);
        assertThat(new EdgeClient(second).receive(1, "q")).isEqualTo("a");
        close(second);
        assertFolderIsFree();
        Connection third = connect("");
        new EdgeClient(third).send("q", "b");
        close(third);
    }

    @Test
    void aBrokerThatIsKeptAliveOutlivesItsConnections() throws InterruptedException {
        Connection first = connect("&keepAlive=true");
        EdgeClient client = new EdgeClient(first);
        client.send("q", "a");
        close(first);
        assertThatThrownBy(this::assertFolderIsFree).extracting("code").isEqualTo(ErrorCode.DATA_LOCKED);
        Connection second = connect("");
        assertThat(new EdgeClient(second).receive(1, "q")).isEqualTo("a");
        close(second);
        SharedBroker.stop(folder);
        assertFolderIsFree();
    }

    @ParameterizedTest
    @ValueSource(strings = {"&dat=x", "&keepAlive=yes", "&listen=stomp=1:2:x", "&listen==", "&tx.maxBytes=many"})
    void aParameterThatIsWrongIsRefusedAndStartsNothing(String more) {
        assertRefused(more, ErrorCode.INVALID_CONFIGURATION, more.substring(1, more.indexOf('=')));
        assertFolderIsFree();
    }

    @Test
    void anUnknownParameterIsRefusedWithTheKnownOnes() {
        assertRefused("&dat=x", ErrorCode.INVALID_CONFIGURATION, "keepAlive");
    }

    @Test
    void aListenerThatCannotBeBoundStartsNothing() {
        assertRefused("&listen=smoke=127.0.0.1:0", ErrorCode.INVALID_CONFIGURATION, "smoke");
        assertFolderIsFree();
    }

    /** Nobody has to log in to a broker of a URL. */
    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "[::]", "192.0.2.1"})
    void aListenerThatOtherMachinesReachIsRefusedAndStartsNothing(String host) {
        assertRefused(
                "&listen=smoke=127.0.0.1:0&listen=smoke=" + host + ":0",
                ErrorCode.INVALID_CONFIGURATION,
                "refusing listen=smoke=" + host + ":0: other machines could reach it");
        assertFolderIsFree();
    }

    @Test
    void whatContradictsTheRunningBrokerIsRefused() {
        Connection first = connect("&tx.maxBytes=5000");
        assertRefused("&tx.maxBytes=6000", ErrorCode.INVALID_CONFIGURATION, "tx.maxBytes=5000");
        assertRefused("&listen=stomp=127.0.0.1:0", ErrorCode.INVALID_CONFIGURATION, "listen");
        assertRefused("&journal=other", ErrorCode.INVALID_CONFIGURATION, "journal");
        Connection second = connect("&tx.maxBytes=5000");
        close(second);
        close(first);
        assertFolderIsFree();
    }
}
