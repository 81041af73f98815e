package dev.turnstone.broker.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedBrokerTest {
    static final Login LOGIN = new Login(null, null, null, "test", "vm");

    @TempDir
    Path folder;

    private static Connection connect(EmbeddedBroker broker, List<BrokerException> closed) {
        return broker.broker().connect(LOGIN, closed::add).toCompletableFuture().join();
    }

    @Test
    void whatWasConfirmedIsThereInTheNextLife() throws InterruptedException {
        List<BrokerException> closed = Collections.synchronizedList(new ArrayList<>());
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(folder))) {
            EdgeClient client = new EdgeClient(connect(broker, closed));
            client.send("q", "a");
            client.send("q", "b");
            assertThat(client.receive(1, "q")).isEqualTo("a");
        }
        assertThat(closed).extracting(BrokerException::code).containsExactly(ErrorCode.STOPPED);
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(folder))) {
            EdgeClient client = new EdgeClient(connect(broker, closed));
            assertThat(client.receive(1, "q")).isEqualTo("b");
        }
    }

    @Test
    void aFolderBelongsToOneBrokerAtATime() throws InterruptedException {
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(folder))) {
            assertThatThrownBy(() -> EmbeddedBroker.start(BrokerSettings.in(folder)))
                    .isInstanceOf(BrokerException.class)
                    .extracting("code")
                    .isEqualTo(ErrorCode.DATA_LOCKED);
            new EdgeClient(connect(broker, new ArrayList<>())).send("q", "still works");
        }
    }

    @Test
    void aFolderThatIsAFileIsRefused() throws java.io.IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        assertThatThrownBy(() -> EmbeddedBroker.start(BrokerSettings.in(file)))
                .isInstanceOf(BrokerException.class)
                .extracting("code")
                .isEqualTo(ErrorCode.DATA_UNUSABLE);
    }

    @Test
    void anUnknownJournalOrProtocolIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> EmbeddedBroker.start(BrokerSettings.in(folder).withJournal("stone")))
                .hasMessageContaining("stone")
                .hasMessageContaining("artemis");
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(folder))) {
            assertThatThrownBy(() -> broker.listen("smoke", "127.0.0.1", 0, Map.of()))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageContaining("smoke");
        }
    }

    @Test
    void noThreadOfItKeepsTheProgramAlive() throws InterruptedException {
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(folder))) {
            new EdgeClient(connect(broker, new ArrayList<>())).send("q", "a");
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> !thread.isDaemon())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.contains("turnstone") || name.contains("activemq"));
        }
    }

    @Test
    void afterCloseNobodyConnects() {
        EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(folder));
        Connection connection = connect(broker, new ArrayList<>());
        broker.close();
        broker.close();
        assertThat(broker.closed().toCompletableFuture()).isCompleted();
        assertThat(broker.broker().connect(LOGIN, cause -> {}).toCompletableFuture())
                .isCompletedExceptionally();
        assertThat(connection.close().toCompletableFuture()).isCompleted();
        assertThatThrownBy(() -> connection.openSession(() -> {}))
                .extracting("code")
                .isEqualTo(ErrorCode.CLOSED);
    }

    @Test
    void aNewVolumeAndFilesThatAreNoPagesAreNoHindrance() throws java.io.IOException {
        Files.createDirectory(folder.resolve("lost+found"));
        EmbeddedBroker.start(BrokerSettings.in(folder)).close();
        Files.writeString(folder.resolve("pages").resolve("zzzzzzzzzzzzzzzz.page"), "no page");
        EmbeddedBroker.start(BrokerSettings.in(folder)).close();
        assertThat(folder.resolve("pages").resolve("zzzzzzzzzzzzzzzz.page")).exists();
    }
}
