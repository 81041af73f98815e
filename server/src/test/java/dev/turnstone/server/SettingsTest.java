package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.server.config.Configuration;
import dev.turnstone.server.config.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SettingsTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = folder.resolve("turnstone.yaml");
    }

    @Test
    void everySettingIsRead() throws IOException {
        write("""
                data: /var/lib/turnstone
                listen:
                  - stomp=0.0.0.0:61613
                  - stomp=[::1]:61614
                insecure: true
                journal:
                  provider: simulated
                  outstanding: 64 MiB
                  fileBytes: 32MiB
                message:
                  bytesMax: 524288
                  headerBytesMax: 16KiB
                dispatch.block: 500
                """);
        Settings settings = read();
        assertThat(settings.data()).isEqualTo(Path.of("/var/lib/turnstone"));
        assertThat(settings.listen())
                .containsExactly(
                        new ListenAddress("stomp", "0.0.0.0", 61_613), new ListenAddress("stomp", "::1", 61_614));
        assertThat(settings.insecure()).isTrue();
        assertThat(settings.journal().provider()).isEqualTo("simulated");
        assertThat(settings.journal().outstanding()).isEqualTo(64L << 20);
        assertThat(settings.journal().fileBytes()).isEqualTo(32 << 20);
        assertThat(settings.limits().of(Limit.MESSAGE_BYTES_MAX)).isEqualTo(512 << 10);
        assertThat(settings.limits().of(Limit.MESSAGE_HEADER_BYTES_MAX)).isEqualTo(16 << 10);
        assertThat(settings.limits().of(Limit.DISPATCH_BLOCK)).isEqualTo(500);
    }

    @Test
    void aListenerMayHaveSettingsOfItsOwn() throws IOException {
        write("""
                listen:
                  - stomp=127.0.0.1:1
                  - at: stomp=0.0.0.0:2
                    tls:
                      certificate: [a.pem, b.pem]
                      key: a.key,b.key
                    heartBeatMs: 500
                  - at: stomp=127.0.0.1:3
                    tls.keystore: c.p12
                insecure: true
                """);
        assertThat(read().listen())
                .containsExactly(
                        new ListenAddress("stomp", "127.0.0.1", 1),
                        new ListenAddress(
                                "stomp",
                                "0.0.0.0",
                                2,
                                Map.of(
                                        "tls.certificate",
                                        "a.pem,b.pem",
                                        "tls.key",
                                        "a.key,b.key",
                                        "heartBeatMs",
                                        "500")),
                        new ListenAddress("stomp", "127.0.0.1", 3, Map.of("tls.keystore", "c.p12")));
    }

    @Test
    void aListenerWithoutAPlaceIsRefused() throws IOException {
        write("listen:\n  - tls: {keystore: c.p12}\n");
        refused(2, "listen[0].at: is missing");
        write("listen:\n  at: stomp=127.0.0.1:1\n");
        refused(2, "listen is a list: each entry starts with '- '");
        write("listen:\n  - at: stomp\n");
        refused(
                2,
                "listen[0].at: a listener is written PROTOCOL=HOST:PORT, as in stomp=127.0.0.1:61613; this is not:"
                        + " 'stomp'");
    }

    @Test
    void whatIsNotNamedKeepsItsDefault() throws IOException {
        write("data: elsewhere");
        assertThat(read()).satisfies(settings -> {
            assertThat(settings.data()).isEqualTo(Path.of("elsewhere"));
            assertThat(settings.journal()).isEqualTo(Settings.DEFAULTS.journal());
            assertThat(settings.security()).isEqualTo(Settings.DEFAULTS.security());
        });
    }

    @Test
    void anEmptyFileMeansDefaults() throws IOException {
        write("# nothing yet\n");
        assertThat(read()).isEqualTo(Settings.DEFAULTS);
    }

    @Test
    void aMisspeltNameIsAnsweredWithTheRightOne() throws IOException {
        write("journal:\n  outstandig: 1MiB\n");
        refused(2, "unknown setting 'journal.outstandig'; did you mean 'journal.outstanding'?");
    }

    @Test
    void aListWhereOneValueBelongsIsRefused() throws IOException {
        write("data: [a, b]\n");
        refused(1, "data takes one value, not a list");
    }

    @Test
    void aNameLikeNoOtherIsAnsweredWithAllThatAreKnown() throws IOException {
        write("zookeeperQuorumPeers: 3\n");
        refused(1, "unknown setting 'zookeeperQuorumPeers'; 'turnstone config docs' names all that there are");
    }

    @Test
    void wrongValuesAreRefusedWithTheirName() throws IOException {
        write("journal: {outstanding: plenty}");
        refused(1, "journal.outstanding: 'plenty': not an amount of bytes, such as 1048576 or 1MiB");
        write("insecure: maybe");
        refused(1, "insecure: 'maybe': neither true nor false");
        write("journal: {fileBytes: 4TiB}");
        refused(1, "journal.fileBytes: '4TiB': not between 1 and 2147483647 bytes");
        write("message: {bytesMax: 4TiB}");
        refused(1, "message.bytesMax: '4TiB': not between 1 and 1048576 bytes");
        write("dispatch: {block: some}");
        refused(1, "dispatch.block: 'some': not a whole number");
        write("listen: [stomp:61613]");
        refused(
                1,
                "listen[0]: a listener is written PROTOCOL=HOST:PORT, as in stomp=127.0.0.1:61613; this is not:"
                        + " 'stomp:61613'");
        write("journal: {fileBytes: 4KiB}");
        refused(1, "journal.fileBytes: 4096 bytes are too few: two of the largest records take 2232320");
    }

    @Test
    void whatIsNotYamlOrNotTextIsRefusedInOneLine() throws IOException {
        write("data: [unclosed\nlisten: }");
        refused(2, "is not YAML: expected ',' or ']', but got :");
        Files.write(file, "data: \u00fc".getBytes(StandardCharsets.ISO_8859_1));
        refused(0, "is not UTF-8 text");
    }

    @Test
    void aNameGivenInBothWaysIsRefused() throws IOException {
        write("dispatch: {block: 5}\ndispatch.block: 6\n");
        refused(2, "'dispatch.block' is given twice, first in line 1");
    }

    @Test
    void aFileThatIsNotThereIsRefused() {
        refused(0, "there is no such file");
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    private Settings read() {
        return SettingsOptions.checked(configuration());
    }

    private Configuration<Settings> configuration() {
        return Configuration.read(Settings.class, new Configuration.Sources(file, Map.of(), Map.of(), Map.of()));
    }

    private void refused(int line, String why) {
        String place = file + (line == 0 ? "" : ":" + line);
        assertThat(configuration().problems()).map(Problem::toString).contains(place + ": " + why);
    }
}
