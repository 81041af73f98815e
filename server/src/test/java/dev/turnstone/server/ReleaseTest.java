package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.turnstone.port.BrokerException;
import dev.turnstone.server.metrics.BreakableJournalProvider;
import dev.turnstone.server.security.TestPlugins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a broker has taken it gives back, whatever fails when it starts or ends. */
final class ReleaseTest {
    @TempDir
    Path folder;

    private Path data;
    private Set<Thread> before;

    @BeforeEach
    void look() {
        data = folder.resolve("data");
        before = new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    /** With an audit log and plug-ins, which have threads and files of their own. */
    private Turnstone.Builder broker(String user) {
        return Turnstone.builder()
                .data(data)
                .set("journal.provider", BreakableJournalProvider.NAME)
                .set("security.authenticator.name", "one-user")
                .set("security.authenticator.options.\"user\"", user)
                .set("security.authenticator.options.\"password\"", "secret");
    }

    private void assertAllIsReleased() {
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !before.contains(thread) && thread.isAlive())
                        .map(Thread::getName)
                        .filter(name -> name.startsWith("turnstone")))
                .isEmpty());
    }

    private static Stream<Throwable> faults() {
        return Stream.of(new IllegalStateException("unexpected"), new NoClassDefFoundError("a/Library"));
    }

    private static void raise(Throwable fault) {
        if (fault instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) fault;
    }

    @ParameterizedTest
    @MethodSource("faults")
    void whenTheJournalCannotBeOpened(Throwable fault) {
        BreakableJournalProvider.opening(data, () -> raise(fault));
        assertThat(catchThrowable(() -> broker("ann").start())).isSameAs(fault);
        assertAllIsReleased();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void whenThePageFilesCannotBeOpened(Throwable fault) {
        BreakableJournalProvider.opened(data, () -> raise(fault));
        assertThat(catchThrowable(() -> broker("ann").start())).isSameAs(fault);
        assertAllIsReleased();
        BreakableJournalProvider.opened(data, () -> {});
        broker("ann").start().close();
    }

    @Test
    void whenABrokerThatRunsCannotBeShared() {
        Path elsewhere = folder.resolve("elsewhere");
        BreakableJournalProvider.opened(data, () -> {
            try {
                Files.move(data, elsewhere);
                Files.createFile(data);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        AtomicBoolean closed = new AtomicBoolean();
        BreakableJournalProvider.closed(data, () -> closed.set(true));
        assertThat(catchThrowable(() -> broker("ann").start())).isInstanceOf(BrokerException.class);
        assertThat(closed).isTrue();
        assertAllIsReleased();
    }

    @Test
    void whenTheBrokerDoesNotEndInOrder() {
        IllegalStateException first = new IllegalStateException("the journal cannot be closed");
        Turnstone broker = broker(TestPlugins.BROKEN).start();
        BreakableJournalProvider.closed(data, () -> {
            throw first;
        });
        assertThat(catchThrowable(broker::close))
                .isSameAs(first)
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .anyMatch(later -> "the plug-in cannot be closed".equals(later.getMessage())));
        assertAllIsReleased();
        BreakableJournalProvider.closed(data, () -> {});
        broker("ann").start().close();
    }
}
