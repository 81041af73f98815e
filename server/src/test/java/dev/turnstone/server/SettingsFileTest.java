package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.limit.Limit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SettingsFileTest {
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
        Settings settings = SettingsFile.read(file);
        assertThat(settings.data()).isEqualTo(Path.of("/var/lib/turnstone"));
        assertThat(settings.listeners())
                .containsExactly(
                        new ListenAddress("stomp", "0.0.0.0", 61_613), new ListenAddress("stomp", "::1", 61_614));
        assertThat(settings.insecure()).isTrue();
        assertThat(settings.journalProvider()).isEqualTo("simulated");
        assertThat(settings.journal().outstandingBytes()).isEqualTo(64L << 20);
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
        assertThat(SettingsFile.read(file).listeners())
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
        refused("listen[0].at is missing: PROTOCOL=HOST:PORT");
        write("listen:\n  at: stomp=127.0.0.1:1\n");
        refused("listen is a list: each listener starts with '- '");
        write("listen:\n  - at: stomp\n");
        refused("listen[0].at: a listener is written PROTOCOL=HOST:PORT");
    }

    @Test
    void whatIsNotNamedKeepsItsDefault() throws IOException {
        write("data: elsewhere");
        assertThat(SettingsFile.read(file)).isEqualTo(Settings.DEFAULTS.withData(Path.of("elsewhere")));
    }

    @Test
    void anEmptyFileMeansDefaults() throws IOException {
        write("# nothing yet\n");
        assertThat(SettingsFile.read(file)).isEqualTo(Settings.DEFAULTS);
    }

    @Test
    void aMisspeltNameIsAnsweredWithTheRightOne() throws IOException {
        write("journal:\n  outstandig: 1MiB\n");
        refused("unknown setting 'journal.outstandig'; did you mean 'journal.outstanding'?");
    }

    @Test
    void aListWhereOneValueBelongsIsRefused() throws IOException {
        write("data: [a, b]\n");
        refused("data takes one value, not a list");
    }

    @Test
    void aNameLikeNoOtherIsAnsweredWithAllThatAreKnown() throws IOException {
        write("zookeeperQuorumPeers: 3\n");
        refused("unknown setting 'zookeeperQuorumPeers'; known are: addresses.max, ");
    }

    @Test
    void wrongValuesAreRefusedWithTheirName() throws IOException {
        write("journal: {outstanding: plenty}");
        refused("journal.outstanding: 'plenty': not an amount of bytes, such as 1048576 or 1MiB");
        write("insecure: maybe");
        refused("insecure: 'maybe': neither true nor false");
        write("journal: {fileBytes: 4TiB}");
        refused("journal.fileBytes: '4TiB': must be from 1 to 2147483647 bytes");
        write("message: {bytesMax: 4TiB}");
        refused("message.bytesMax=4398046511104 is not between 1 and 1048576 bytes");
        write("dispatch: {block: some}");
        refused("dispatch.block: 'some': not a whole number");
        write("listen: [stomp:61613]");
        refused("listen: a listener is written PROTOCOL=HOST:PORT");
        write("journal: {fileBytes: 4KiB}");
        refused("journal limits contradict each other");
    }

    @Test
    void whatIsNotYamlOrNotTextIsRefusedInOneLine() throws IOException {
        write("data: [unclosed\nlisten: }");
        refused("is not YAML");
        Files.write(file, "data: \u00fc".getBytes(StandardCharsets.ISO_8859_1));
        refused("is not UTF-8 text");
    }

    @Test
    void aNameGivenInBothWaysIsRefused() throws IOException {
        write("dispatch: {block: 5}\ndispatch.block: 6\n");
        refused("'dispatch.block' is given twice");
    }

    @Test
    void aFileThatIsNotThereIsRefused() {
        refused("there is no such file");
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    private void refused(String why) {
        assertThatThrownBy(() -> SettingsFile.read(file))
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith(file + ": ")
                .hasMessageContaining(why)
                .message()
                .doesNotContain("\n");
    }
}
