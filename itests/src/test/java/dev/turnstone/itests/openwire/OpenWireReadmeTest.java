package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The README's program, as it is there but for the port. */
@Timeout(120)
final class OpenWireReadmeTest {
    private static final Pattern PROGRAM =
            Pattern.compile("cat > HelloActiveMq\\.java <<'JAVA'\\n(.*?)\\nJAVA\\n", Pattern.DOTALL);

    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    @Test
    void theProgramSaysHello(@TempDir Path folder) throws Exception {
        Matcher found = PROGRAM.matcher(Files.readString(Path.of("..", "README.md")));
        assertThat(found.find()).isTrue();
        Path file = folder.resolve("HelloActiveMq.java");
        Files.writeString(file, found.group(1).replace("61616", String.valueOf(broker.port())));
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(out, StandardCharsets.UTF_8)).contains("Hello from ActiveMQ's client");
        assertThat(process.exitValue()).isZero();
    }
}
