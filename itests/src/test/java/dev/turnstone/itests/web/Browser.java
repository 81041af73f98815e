package dev.turnstone.itests.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A headless Chromium that shows one page. Ended by its own process id. */
final class Browser implements AutoCloseable {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    private final Process process;

    private Browser(Process process) {
        this.process = process;
    }

    /**
     * Opens a page.
     *
     * @param folder for its profile and log; must be new
     * @param trusted a certificate that it takes although nobody vouches for it
     * @param foreignHost a name that leads to this machine
     */
    static Browser open(Path folder, X509Certificate trusted, String foreignHost, String url) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(program().toString());
        // As root it cannot use its sandbox; the rest keeps it from talking to anybody but the page.
        command.addAll(List.of("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"));
        command.addAll(List.of("--disable-quic", "--no-first-run", "--disable-background-networking"));
        command.addAll(List.of("--disable-component-update", "--disable-sync", "--disable-extensions"));
        command.add("--user-data-dir=" + folder.resolve("profile"));
        command.add("--ignore-certificate-errors-spki-list=" + fingerprint(trusted));
        command.add("--host-resolver-rules=MAP " + foreignHost + " 127.0.0.1");
        command.add("--remote-debugging-port=0");
        command.add(url);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("TMPDIR", folder.toString());
        builder.redirectOutput(folder.resolve("browser.log").toFile());
        return new Browser(builder.start());
    }

    private static Path program() {
        String path = System.getenv("PATH");
        for (String folder : (path == null ? "" : path).split(java.io.File.pathSeparator)) {
            for (String name : NAMES) {
                Path program = Path.of(folder, name);
                if (Files.isExecutable(program)) {
                    return program;
                }
            }
        }
        throw new IllegalStateException("no chromium on the PATH; ./verify installs it");
    }

    private static String fingerprint(X509Certificate certificate) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return Base64.getEncoder()
                    .encodeToString(sha256.digest(certificate.getPublicKey().getEncoded()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean isRunning() {
        return process.isAlive();
    }

    @Override
    public void close() {
        try (Stream<ProcessHandle> children = process.descendants()) {
            List<ProcessHandle> all = children.toList();
            process.destroy();
            if (!ended(process)) {
                process.destroyForcibly();
            }
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static boolean ended(Process process) {
        try {
            return process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
