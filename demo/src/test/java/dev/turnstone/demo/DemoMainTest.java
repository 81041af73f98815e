package dev.turnstone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class DemoMainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String arguments) {
        CommandLine command =
                DemoMain.command().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments.split(" "));
    }

    @ParameterizedTest
    @CsvSource({"--all --kills -1", "--all --readings 0", "--all --kills x", "--all --zzz", "--all --patience 0"})
    void whatIsWrongIsSaidInOneLine(String arguments) {
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(err.toString()).startsWith("turnstone: ").hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void theHelpShowsTheCommandAsItIsTyped() {
        assertThat(run("--all --help")).isZero();
        assertThat(out.toString()).startsWith("Usage: turnstone demo [-hV] --all ");
    }
}
