package dev.turnstone.itests.disk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A disk of a few megabytes, mounted in memory; without the right to mount, the test that asks for it is skipped. */
final class SmallDisk implements AutoCloseable {
    private static final long PATIENCE_S = 20;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    static SmallDisk mount(Path folder, int mebibytes) throws IOException {
        Files.createDirectories(folder);
        String refusal = run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString());
        assumeTrue(refusal.isEmpty(), () -> "no small disk, since mounting one is not permitted here: " + refusal);
        return new SmallDisk(folder);
    }

    Path folder() {
        return folder;
    }

    @Override
    public void close() throws IOException {
        String refusal = run("umount", folder.toString());
        if (!refusal.isEmpty()) {
            throw new IOException(refusal);
        }
    }

    /** What the command said if it did not do it, else nothing. */
    private static String run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean ended = process.waitFor(PATIENCE_S, TimeUnit.SECONDS);
            return ended && process.exitValue() == 0 ? "" : "'" + String.join(" ", command) + "': " + said.strip();
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e.toString();
        }
    }
}
