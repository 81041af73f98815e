package dev.turnstone.itests.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code turnstone}, started from another folder than its own. */
final class ScriptTest {
    @TempDir
    Path folder;

    @Test
    void printsTheVersion() throws IOException, InterruptedException {
        try (ProgramRun run = ProgramRun.script(folder, "--version")) {
            assertThat(run.awaitExit()).isZero();
            assertThat(run.out()).singleElement().asString().startsWith("Turnstone ");
        }
    }

    @Test
    void aSignalToTheScriptReachesTheBroker() throws IOException, InterruptedException {
        try (ProgramRun run = ProgramRun.script(folder, "run", "--listen", "stomp=127.0.0.1:0")) {
            run.awaitReady();
            assertThat(folder.resolve("data")).isDirectory();
            run.terminate();
            assertThat(run.awaitExit()).isZero();
        }
    }

    @Test
    void anExitCodeComesThrough() throws IOException, InterruptedException {
        try (ProgramRun run = ProgramRun.script(folder, "run", "--no-such-option")) {
            assertThat(run.awaitExit()).isEqualTo(2);
        }
    }
}
