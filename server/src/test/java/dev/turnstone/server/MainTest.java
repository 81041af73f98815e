package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class MainTest {
    private static final int WRONG_ARGUMENTS = 2;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printsItsVersion() {
        assertThat(run("--version")).isZero();
        assertThat(out).hasToString("Turnstone " + Version.current() + System.lineSeparator());
    }

    @Test
    void helpNamesTheCommandsAndTheirOptions() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("--version");
    }

    @Test
    void nothingToDoIsSaidInOneLine() {
        assertThat(run()).isEqualTo(WRONG_ARGUMENTS);
        assertThat(err).hasToString(line("turnstone: nothing to do; try 'turnstone --help'"));
    }

    private int run(String... arguments) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private static String line(String text) {
        return text + System.lineSeparator();
    }
}
