package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that need no process of their own. */
final class CommandsTest {
    @TempDir
    Path folder;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    private int run(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    @Test
    void theDemoCountsExactlyOneResultForEachOrder() {
        assertThat(run("demo", "--orders", "300", "--seconds-max", "60", "--json"))
                .isZero();
        assertThat(out.toString())
                .startsWith("{\"orders\":300,\"results\":300,\"lost\":0,\"doubled\":0,\"millis\":")
                .hasLineCount(1);
        assertThat(run("demo", "--orders", "40", "--seconds-max", "60")).isZero();
        assertThat(out.toString()).startsWith("40 orders over STOMP, 40 results from JMS transactions, 0 lost");
        assertThat(err.toString()).contains("[########################################] 40/40");
        assertThat(run("demo", "--orders", "0")).isEqualTo(2);
    }

    @Test
    void aDevelopmentCertificateServesAListener() throws IOException {
        assertThat(run("tls", "dev-cert", "--folder", folder.toString(), "--host", "broker.example"))
                .isZero();
        for (String secret : new String[] {"dev.key", "dev.password", "dev.p12"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(secret))))
                    .isEqualTo("rw-------");
        }
        Path yaml = folder.resolve("t.yaml");
        Files.writeString(yaml, """
                data: %1$s/data
                listen:
                  - at: stomp=127.0.0.1:0
                    tls: {certificate: %1$s/dev.pem, key: %1$s/dev.key}
                  - at: stomp=127.0.0.1:0
                    tls: {keystore: %1$s/dev.p12, passwordFile: %1$s/dev.password}
                """.formatted(folder));
        try (Turnstone broker = Turnstone.builder().config(yaml).start()) {
            assertThat(broker.listeners()).hasSize(2);
        }
        assertThat(run("tls", "dev-cert", "--folder", folder.toString())).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("dev.p12 is there already; --name names others");
        assertThat(run("tls", "dev-cert", "--folder", folder.toString(), "--host", "a,ip:1.2.3.4"))
                .isEqualTo(Main.FAILED);
        assertThat(run("tls", "dev-cert", "--folder", folder.toString(), "--name", "other", "--json"))
                .isZero();
        assertThat(out.toString())
                .hasLineCount(1)
                .startsWith("{\"certificate\":\"" + folder.toRealPath() + "/other.pem\",\"key\":");
    }

    /** Clients look for an address among addresses, not among names. */
    @Test
    void aDevelopmentCertificateMayBeForAddresses() throws Exception {
        assertThat(run("tls", "dev-cert", "--folder", folder.toString(), "--host", "10.0.0.7", "--host", "2001:db8::1"))
                .isZero();
        try (InputStream pem = Files.newInputStream(folder.resolve("dev.pem"))) {
            X509Certificate made =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem);
            assertThat(made.getSubjectAlternativeNames())
                    .contains(List.of(7, "10.0.0.7"), List.of(7, "2001:db8:0:0:0:0:0:1"), List.of(2, "localhost"));
        }
    }

    @Test
    void aDevelopmentCertificateThatCannotBeMadeLeavesNothing() throws IOException {
        assertThat(run("tls", "dev-cert", "--folder", folder.toString(), "--host", "a..b"))
                .isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("the certificate cannot be made");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void completionKnowsEveryCommand() {
        assertThat(run("completion")).isZero();
        assertThat(out.toString()).contains("_complete_turnstone", "demo", "--seconds-max", "dev-cert");
    }

    /** A shell that has read the script is asked what comes next. */
    @ParameterizedTest
    @CsvSource({
        "'us', user",
        "'user l', list",
        "'user list --js', --json",
        "'perf --prod', --producers",
        "'tls dev-', dev-cert",
        "'journal st', stat",
        "'config sh', show"
    })
    void aShellCompletesCommandsAndOptions(String typed, String expected) throws IOException, InterruptedException {
        assertThat(run("completion")).isZero();
        Path script = Files.writeString(folder.resolve("completion"), out.toString());
        String ask = "source " + script + "; COMP_WORDS=(turnstone " + typed
                + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _complete_turnstone; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process shell =
                new ProcessBuilder("bash", "-c", ask).redirectErrorStream(true).start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(said).isZero();
        assertThat(said.lines().map(String::strip)).contains(expected);
    }

    @Test
    void settingsAreShownWithTheirPlaceAndChecked() throws IOException {
        Path yaml = folder.resolve("t.yaml");
        Files.writeString(yaml, "insecure: true\njournal:\n  fileBytes: 32MiB\n");
        assertThat(run("config", "show", "--config", yaml.toString(), "-D", "log.level=warn"))
                .isZero();
        assertThat(out.toString().lines())
                .contains(
                        "journal.fileBytes: 32MiB  # " + yaml + ":3",
                        "log.level: warn  # -D log.level",
                        "data: data  # default");
        assertThat(run("config", "show", "--config", yaml.toString(), "--json")).isZero();
        assertThat(out.toString())
                .contains("{\"name\":\"insecure\",\"value\":\"true\",\"from\":\"" + yaml + ":1\",\"live\":false}");
        assertThat(run("config", "check", "--config", yaml.toString())).isZero();
        assertThat(out.toString().strip()).isEqualTo(yaml + ": nothing is wrong");
        Files.writeString(yaml, "insecure: yes\n");
        assertThat(run("config", "check", "--config", yaml.toString())).isEqualTo(Main.FAILED);
        assertThat(out.toString().strip()).isEqualTo(yaml + ":1: insecure: 'yes': neither true nor false");
        assertThat(run("config", "check", "--config", yaml.toString(), "--json"))
                .isEqualTo(Main.FAILED);
        assertThat(out.toString().strip())
                .isEqualTo("{\"problems\":[{\"at\":\"" + yaml
                        + ":1\",\"message\":\"insecure: 'yes': neither true nor false\"}],\"warnings\":[]}");
    }
}
