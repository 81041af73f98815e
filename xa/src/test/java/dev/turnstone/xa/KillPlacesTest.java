package dev.turnstone.xa;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever verb a process is killed before or after: the next start leaves all or nothing, and nothing in doubt. */
final class KillPlacesTest {
    private static final long PATIENCE_S = 120;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "artemis,broker.prepare.before,nothing", "artemis,broker.prepare.after,nothing",
        "artemis,db.prepare.after,nothing", "artemis,broker.commit.before,all",
        "artemis,broker.commit.after,all", "artemis,db.commit.after,all",
        "artemis-withholding,broker.prepare.after,nothing", "artemis-withholding,broker.commit.before,all",
        "artemis-withholding,broker.commit.after,all", "artemis-withholding,db.commit.before,all"
    })
    void theNextStartCompletesTheTransaction(String journal, String place, String expected) throws Exception {
        check(journal, place, expected);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({
        "artemis,broker.start.before,nothing", "artemis,broker.start.after,nothing",
        "artemis,broker.end.before,nothing", "artemis,broker.end.after,nothing",
        "artemis,db.start.after,nothing", "artemis,db.end.after,nothing",
        "artemis,db.prepare.before,nothing", "artemis,db.commit.before,all",
        "artemis-withholding,broker.prepare.before,nothing", "artemis-withholding,broker.end.after,nothing",
        "artemis-withholding,db.prepare.before,nothing", "artemis-withholding,db.prepare.after,nothing",
        "artemis-withholding,db.commit.after,all"
    })
    void theNextStartCompletesTheTransactionAtOtherPlacesToo(String journal, String place, String expected)
            throws Exception {
        check(journal, place, expected);
    }

    private void check(String journal, String place, String expected) throws Exception {
        assertThat(run(KillPlacesMain.class, folder.toString(), journal, place)).isEqualTo(KillPlacesMain.KILLED);
        assertThat(run(KillPlacesCheckMain.class, folder.toString(), journal)).isZero();
        boolean all = expected.equals("all");
        assertThat(Files.readAllLines(folder.resolve(KillPlacesCheckMain.FOUND)))
                .containsExactly(
                        "in doubt 0",
                        "orders " + (all ? "[]" : "[boots]"),
                        "sold " + (all ? "[boots]" : "[]"),
                        "bills " + (all ? "[bill of boots]" : "[]"));
    }

    private static int run(Class<?> program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).inheritIO().start();
        try {
            assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return process.exitValue();
    }
}
