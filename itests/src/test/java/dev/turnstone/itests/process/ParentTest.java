package dev.turnstone.itests.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ParentTest {
    /** Ends with its parent alone. */
    static final class Sleeper {
        private Sleeper() {}

        public static void main(String[] args) throws InterruptedException {
            Parent.endWithIt();
            System.out.println(ProcessHandle.current().pid());
            new CountDownLatch(1).await(1, TimeUnit.HOURS);
        }
    }

    @Test
    void aProcessEndsWithTheOneThatStartedIt() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process shell = new ProcessBuilder(
                        "bash",
                        "-c",
                        "\"$0\" -cp \"$1\" \"$2\" & wait",
                        java,
                        System.getProperty("java.class.path"),
                        Sleeper.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ProcessHandle sleeper;
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8))) {
            sleeper = ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
            assertThat(sleeper.isAlive()).isTrue();
            shell.destroyForcibly().waitFor();
            try {
                sleeper.onExit().get(30, TimeUnit.SECONDS);
            } finally {
                sleeper.destroyForcibly();
            }
        }
        assertThat(sleeper.isAlive()).isFalse();
    }
}
