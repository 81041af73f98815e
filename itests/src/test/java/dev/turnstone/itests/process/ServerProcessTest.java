package dev.turnstone.itests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What scripts rely on: the lines that the program prints, and how it ends. */
final class ServerProcessTest {
    private static final String ANY_PORT = "stomp=127.0.0.1:0";
    private static final String READ_AGAIN = "the settings were read again";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void saysWhatItServesThenThatItIsReadyAndEndsInOrderOnSigterm() throws IOException, InterruptedException {
        try (ProgramRun run =
                ProgramRun.java(folder, "run", "--data", "store", "--listen", ANY_PORT, "--listen", ANY_PORT)) {
            run.awaitReady();
            assertThat(run.out().get(0)).matches("Turnstone \\d+\\.\\d+\\.\\d+\\S*");
            assertThat(run.out().get(1))
                    .isEqualTo("data " + folder.resolve("store").toRealPath());
            assertThat(run.out().get(2)).startsWith("durability sync=true");
            assertThat(run.out().subList(3, 5)).allMatch(line -> line.matches("listening stomp 127\\.0\\.0\\.1:\\d+"));
            assertThat(run.out().get(5)).matches("ready in \\d+ ms");
            assertAccepts(run.stompPort());
            run.terminate();
            assertThat(run.awaitExit()).isZero();
            assertThat(run.err()).isEmpty();
        }
    }

    @Test
    void aHangupAsSoonAsItIsReadyIsHeard() throws IOException, InterruptedException {
        try (ProgramRun run = ProgramRun.main(HangupAtReadyMain.class.getName(), folder, "run", "--listen", ANY_PORT)) {
            await().atMost(PATIENCE)
                    .until(() -> run.ended() || run.err().stream().anyMatch(line -> line.contains(READ_AGAIN)));
            assertThat(run.ended()).as("ended; errors: " + run.err()).isFalse();
        }
    }

    /** At first only errors, as JSON; then all from INFO on, as text. */
    @Test
    void formatAndLevelOfTheLogHoldFromTheStartOnAndFollowSighup() throws IOException, InterruptedException {
        Path yaml = Files.writeString(folder.resolve("t.yaml"), "log: {level: error, format: json}\n");
        try (ProgramRun run = ProgramRun.java(folder, "run", "--config", "t.yaml", "--listen", ANY_PORT)) {
            run.awaitReady();
            Files.writeString(yaml, "log: {level: loud}\n");
            run.hangUp();
            await().atMost(PATIENCE)
                    .until(() -> run.err().stream().anyMatch(line -> line.contains("nothing has changed")));
            assertThat(run.err())
                    .singleElement()
                    .asString()
                    .startsWith("{")
                    .contains("\"level\":\"ERROR\"", "\"folder\":\"data\"");
            // Of the size that does not hold yet it warns before it takes the new level over.
            Files.writeString(yaml, "log: {level: info, format: text}\njournal: {fileBytes: 32MiB}\n");
            run.hangUp();
            await().atMost(PATIENCE).until(() -> run.err().stream().anyMatch(line -> line.contains(READ_AGAIN)));
            assertThat(run.err())
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains(" INFO ")
                    .endsWith(" {folder=data}")
                    .doesNotStartWith("{");
        }
    }

    @Test
    void withoutDataTheStoreIsTheFolderDataHere() throws IOException, InterruptedException {
        try (ProgramRun run = ProgramRun.java(folder, "run", "--listen", ANY_PORT)) {
            run.awaitReady();
            assertThat(folder.resolve("data")).isNotEmptyDirectory();
            run.terminate();
            assertThat(run.awaitExit()).isZero();
        }
    }

    @Test
    void startsAgainOnTheFolderThatItLeft() throws IOException, InterruptedException {
        for (int start = 0; start < 2; start++) {
            try (ProgramRun run = ProgramRun.java(folder, "run", "--listen", ANY_PORT)) {
                run.awaitReady();
                run.terminate();
                assertThat(run.awaitExit()).isZero();
            }
        }
    }

    @Test
    void aFolderThatAnotherBrokerUsesIsRefusedAndTheOtherGoesOn() throws IOException, InterruptedException {
        try (ProgramRun first = ProgramRun.java(folder, "run", "--listen", ANY_PORT)) {
            first.awaitReady();
            assertRefused("in use by another", "run", "--listen", ANY_PORT);
            assertAccepts(first.stompPort());
        }
    }

    @Test
    void aPortThatIsTakenIsRefusedByName() throws IOException, InterruptedException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertRefused(
                    "127.0.0.1:" + taken.getLocalPort(), "run", "--listen", "stomp=127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void aFolderWithForeignFilesIsRefusedAndLeftAlone() throws IOException, InterruptedException {
        Path foreign = Files.createDirectory(folder.resolve("photos"));
        Files.writeString(foreign.resolve("holiday.jpg"), "not a journal");
        assertRefused("photos", "run", "--data", "photos", "--listen", ANY_PORT);
        try (var files = Files.list(foreign)) {
            assertThat(files).containsExactly(foreign.resolve("holiday.jpg"));
        }
    }

    @Test
    void aFolderThatCannotBeMadeIsRefused() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("file"), "");
        assertRefused("file", "run", "--data", "file/store", "--listen", ANY_PORT);
    }

    @Test
    void aNonLoopbackAddressIsRefusedBeforeTheStoreIsTouched() throws IOException, InterruptedException {
        assertRefused("insecure: true", "run", "--listen", "stomp=0.0.0.0:0");
        assertThat(folder).isEmptyDirectory();
    }

    private void assertRefused(String why, String... arguments) throws IOException, InterruptedException {
        try (ProgramRun run = ProgramRun.java(folder, arguments)) {
            assertThat(run.awaitExit()).isEqualTo(1);
            assertThat(run.err())
                    .singleElement()
                    .asString()
                    .startsWith("turnstone: ")
                    .contains(why);
            assertThat(run.out()).noneMatch(line -> line.startsWith("ready"));
        }
    }

    private static void assertAccepts(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(socket.isConnected()).isTrue();
        }
    }
}
