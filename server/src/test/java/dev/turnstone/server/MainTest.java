package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MainTest {
    private static final int WRONG_ARGUMENTS = 2;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @Test
    void printsItsVersion() {
        assertThat(run("--version")).isZero();
        assertThat(out).hasToString("Turnstone " + Version.current() + System.lineSeparator());
    }

    @Test
    void helpNamesTheCommandsAndTheirOptions() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("run");
        assertThat(run("run", "--help")).isZero();
        assertThat(out.toString()).contains("--data", "--listen", "--config");
    }

    @Test
    void anUnknownOptionIsRefusedWithTheOneThatWasMeant() {
        assertThat(run("run", "--lisen", "stomp=127.0.0.1:0")).isEqualTo(WRONG_ARGUMENTS);
        assertThat(err).hasToString(line("turnstone: unknown option '--lisen'; did you mean '--listen'?"));
    }

    @Test
    void anUnknownCommandIsRefusedWithTheOneThatWasMeant() {
        assertThat(run("rnu")).isEqualTo(WRONG_ARGUMENTS);
        assertThat(err).hasToString(line("turnstone: unknown argument 'rnu'; did you mean 'run'?"));
    }

    @Test
    void nothingToDoIsSaidInOneLine() {
        assertThat(run()).isEqualTo(WRONG_ARGUMENTS);
        assertThat(err).hasToString(line("turnstone: nothing to do; try 'turnstone run' or 'turnstone --help'"));
    }

    @Test
    void anOptionWithoutItsValueIsRefused() {
        assertThat(run("run", "--data")).isEqualTo(WRONG_ARGUMENTS);
        assertThat(err.toString()).startsWith("turnstone: ").contains("--data").hasLineCount(1);
    }

    @Test
    void aMalformedListenerIsRefused() {
        assertThat(run("run", "--listen", "stomp:61613")).isEqualTo(Main.FAILED);
        assertThat(err.toString())
                .startsWith("turnstone: --listen: listen[0]: a listener is written PROTOCOL=HOST:PORT")
                .contains("'stomp:61613'")
                .hasLineCount(1);
    }

    @Test
    void aWrongSettingsFileIsRefused() {
        Path file = folder.resolve("absent.yaml");
        assertThat(run("run", "--config", file.toString())).isEqualTo(Main.FAILED);
        assertThat(err).hasToString(line("turnstone: " + file + ": there is no such file"));
    }

    private int run(String... arguments) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private static String line(String text) {
        return text + System.lineSeparator();
    }
}
