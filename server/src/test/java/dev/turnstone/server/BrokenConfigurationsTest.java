package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.server.config.Configuration;
import dev.turnstone.server.config.Problem;
import dev.turnstone.testkit.tls.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What a user is told about a configuration that is wrong, to the letter. */
final class BrokenConfigurationsTest {
    @TempDir
    static Path folder;

    /** A configuration, and the lines it gets, without the file's name in front. */
    private record Broken(String yaml, List<String> lines) {}

    private static Broken broken(String yaml, String... lines) {
        return new Broken(yaml, List.of(lines));
    }

    @BeforeAll
    static void files() throws IOException {
        TestCertificate.create(folder, "good");
        TestCertificate.create(folder, "other");
        TestCertificate.expired(folder, "old");
        Files.writeString(folder.resolve("wrong.password"), "not it\n");
        Files.writeString(folder.resolve("plain"), "text\n");
        Files.writeString(folder.resolve("users"), "ann:secret\n");
        Files.writeString(folder.resolve("keys"), "{}");
        Files.createDirectory(folder.resolve("unreadable"));
    }

    private static final List<Broken> NAMES = List.of(
            broken(
                    "jurnal: {provider: artemis}",
                    "1: unknown setting 'jurnal.provider'; did you mean" + " 'journal.provider'?"),
            broken(
                    "journal:\n  fileSize: 1MiB",
                    "2: unknown setting 'journal.fileSize'; did you mean" + " 'journal.fileBytes'?"),
            broken("Data: x", "1: unknown setting 'Data'; did you mean 'data'?"),
            broken(
                    "zookeeperQuorumPeers: 3",
                    "1: unknown setting 'zookeeperQuorumPeers'; 'turnstone config docs' names" + " all that there are"),
            broken("data: a\ndata: b", "2: 'data' is given twice, first in line 1"),
            broken("data: [a, b]", "1: data takes one value, not a list"),
            broken("journal: 5", "1: journal is a section: its settings stand below it, further to the right"),
            broken(
                    "security: {permissions: {role: a, address: b, allow: send}}",
                    "1: security.permissions is a list:" + " each entry starts with '- '"),
            broken("listen: {at: 'stomp=127.0.0.1:0'}", "1: listen is a list: each entry starts with '- '"),
            broken("just a text", "1: holds no settings: each is written NAME: VALUE"),
            broken("data: [a\nlisten: }", "2: is not YAML: expected ',' or ']', but got :"),
            broken(
                    "a:\n\tb: 1",
                    "2: is not YAML: found character '\\t(TAB)' that cannot start any token. (Do not use"
                            + " \\t(TAB) for indentation)"));

    private static final List<Broken> VALUES = List.of(
            broken("insecure: yes", "1: insecure: 'yes': neither true nor false"),
            broken(
                    "journal: {outstanding: 32MB}",
                    "1: journal.outstanding: '32MB': not an amount of bytes, such as" + " 1048576 or 1MiB"),
            broken(
                    "journal: {fileBytes: 4TiB}",
                    "1: journal.fileBytes: '4TiB': not between 1 and 2147483647" + " bytes"),
            broken(
                    "journal: {fileBytes: 4KiB}",
                    "1: journal.fileBytes: 4096 bytes are too few: two of the largest" + " records take 2232320"),
            broken(
                    "journal: {outstanding: -1}",
                    "1: journal.outstanding: '-1': not an amount of bytes, such as 1048576" + " or 1MiB"),
            broken("message: {bytesMax: 2MiB}", "1: message.bytesMax: '2MiB': not between 1 and 1048576 bytes"),
            broken("turn: {commands: many}", "1: turn.commands: 'many': not a whole number"),
            broken(
                    "security: {throttle: {delayMaxMs: 5s}}",
                    "1: security.throttle.delayMaxMs: '5s': not a whole number" + " of milliseconds"),
            broken(
                    "security: {passwords: {iterations: 1}}",
                    "1: security.passwords.iterations: '1': not between 1000" + " and 10000000"),
            broken("log: {level: loud}", "1: log.level: 'loud': not one of error, warn, info, debug, trace"),
            broken("log: {format: xml}", "1: log.format: 'xml': not one of text, json"),
            broken(
                    "log: {levels: {dev.turnstone: chatty}}",
                    "1: log.levels.\"dev.turnstone\": 'chatty': not one of" + " error, warn, info, debug, trace"),
            broken(
                    "addresses: {orders: {memoryBytes: 5MB}}",
                    "1: addresses.\"orders\".memoryBytes: '5MB': not an" + " amount of bytes, such as 1048576 or 1MiB"),
            broken(
                    "security: {authenticator: {name: one-user, options: {word: 'my secret ${env.NO_SUCH_VARIABLE}'}}}",
                    "1: security.authenticator.options.\"word\": what it names is not there; ${env.NAME} is a variable"
                            + " of the environment, ${env.NAME:TEXT} holds also without it"),
            broken(
                    "data: ${env.NO_SUCH_VARIABLE}",
                    "1: data: '${env.NO_SUCH_VARIABLE}': what it names is not there;"
                            + " ${env.NAME} is a variable of the environment, ${env.NAME:TEXT} holds also without it"),
            broken("metrics: {addressesMax: 1000000}", "1: metrics.addressesMax: '1000000': not between 0 and 10000"));

    private static final List<Broken> SECURITY = List.of(
            broken("security: {permissions: [{role: a, address: b}]}", "1: security.permissions[0].allow: is missing"),
            broken(
                    "security: {permissions: [{role: a, address: 'a.>.b', allow: send}]}",
                    "1:"
                            + " security.permissions[0].address: 'a.>.b': '>' stands for the rest of an address"
                            + " and can only be"
                            + " the last level"),
            broken(
                    "security: {permissions: [{role: a, address: b, allow: [send, recieve]}]}",
                    "1:"
                            + " security.permissions[0].allow: 'send, recieve': 'recieve' is no action; known"
                            + " are: send,"
                            + " consume, browse, create, delete, manage, and all"),
            broken(
                    "security: {users: FOLDER/nobody}",
                    "1: security.users: FOLDER/nobody: there is no such users file;"
                            + " 'turnstone user add' makes it"),
            broken(
                    "security: {users: FOLDER/users}",
                    "1: security.users: FOLDER/users: line 1: not of the form" + " NAME:HASH:ROLE,ROLE"),
            broken(
                    "security: {users: FOLDER/unreadable}",
                    "1: security.users: FOLDER/unreadable: the users file cannot"
                            + " be read: java.io.IOException: Is a directory"),
            broken("security: {jwt: {keys: FOLDER/keys, issuer: i}}", "1: security.jwt.audience: is missing"),
            broken(
                    "security: {jwt: {keys: 'http://login.example.org', issuer: i, audience: a}}",
                    "1:"
                            + " security.jwt.keys: 'http://login.example.org': keys that come over http could"
                            + " be anybody's; use"
                            + " https or a file"),
            broken(
                    "security: {jwt: {keys: FOLDER/none, issuer: i, audience: a}}",
                    "1: security.jwt.keys: FOLDER/none:"
                            + " cannot be read: java.io.FileNotFoundException: FOLDER/none (No such file or"
                            + " directory)"),
            broken(
                    "security: {ldap: {url: 'ldap://d.example.org', userDn: 'uid=%u,dc=x'}}",
                    "1: security.ldap.url:"
                            + " 'ldap://d.example.org': passwords would travel as they are; use ldaps, or startTls"),
            broken(
                    "security: {authenticator: {name: one-usr}}",
                    "1: security.authenticator.name: no"
                            + " AuthenticatorProvider has the name 'one-usr'; did you mean 'one-user'?"),
            broken(
                    "security:\n  users: u\n  authenticator: {name: one-user}",
                    "3: security.authenticator: is the only"
                            + " one that checks logins: take users, jwt and ldap away"));

    private static final List<Broken> PLACES = List.of(
            broken(
                    "listen: [stomp:61613]",
                    "1: listen[0]: a listener is written PROTOCOL=HOST:PORT, as in"
                            + " stomp=127.0.0.1:61613; this is not: 'stomp:61613'"),
            broken(
                    "listen: [stomp=127.0.0.1:99999]",
                    "1: listen[0]: a listener is written PROTOCOL=HOST:PORT, as in"
                            + " stomp=127.0.0.1:61613; this is not: 'stomp=127.0.0.1:99999'"),
            broken(
                    "listen:\n  - stomp=127.0.0.1:7000\n  - http=127.0.0.1:7000",
                    "3: listen[1]: 7000 is the port of" + " listen[0] already"),
            broken(
                    "listen: [stomp=0.0.0.0:7000]",
                    "1: listen[0]: refusing to listen on stomp=0.0.0.0:7000: other"
                            + " machines could reach it and nobody has to log in; 'security.users' names a users file,"
                            + " 'insecure: true' allows it without"),
            broken(
                    "listen: [stomp=no-such-host.invalid:7000]",
                    "1: listen[0]: cannot listen on"
                            + " stomp=no-such-host.invalid:7000: the host no-such-host.invalid has no address"),
            broken(
                    "listen: [{at: 'stomp=127.0.0.1:0', heartBeatMs: often}]",
                    "1: listen[0].heartBeatMs: must be a whole number of at least 0, not 'often'"),
            broken(
                    "listen:\n  - at: stomp=127.0.0.1:0\n    bodyBytesMax: 64kb",
                    "3: listen[0].bodyBytesMax: must be an amount of bytes, such as 65536 or 64KiB, from 1 to"
                            + " 2147483647, not '64kb'"),
            broken(
                    "listen:\n  - at: http=127.0.0.1:0\n    stomp:\n      prefetchMax: 5\n      prefetchDefault: 6",
                    "5: listen[0].stomp.prefetchDefault: is 6 and prefetchMax 5; lower the first or raise the second"),
            broken(
                    "listen:\n  - stomp=127.0.0.1:0\n  - at: stomp=127.0.0.1:0\n    heartbeatsMs: 1\n    zzzzzzzz: 1",
                    "4: listen[1].heartbeatsMs: unknown setting; did you mean 'heartBeatMs'?",
                    "5: listen[1].zzzzzzzz: unknown setting; known are bodyBytesMax, commandBytesMax, connectBytesMax,"
                            + " connectionsMax, connectionsPerAddressMax, connectsPerSecondMax, frameBytesMax,"
                            + " headBytesMax, headerLineBytesMax, headersMax, heartBeatMs, lingerMs, loginTimeoutMs,"
                            + " prefetchDefault, prefetchMax, proxies, subscriptionsMax, tls.certificate,"
                            + " tls.clientAuth, tls.key, tls.keystore, tls.passwordFile, tls.trust, transactionsMax,"
                            + " wholeBytesMax, writeQueueBytesMax"),
            broken(
                    "listen:\n  - at: stomp=127.0.0.1:0\n    tls:\n      key: FOLDER/good.key",
                    "4: listen[0].tls.key: TLS needs either tls.certificate and tls.key, or tls.keystore and"
                            + " tls.passwordFile"),
            broken(
                    "listen: [stomp=localhost:7000, 'mqtt=127.0.0.1:7000', 'openwire=127.0.0.2:7000']",
                    "1: listen[1]: 7000 is the port of listen[0] already"),
            broken(
                    "insecure: true\nlisten: [stomp=0.0.0.0:7000, 'mqtt=[::1]:7000']",
                    "2: listen[1]: 7000 is the port of listen[0] already"),
            broken(
                    "listen: [{at: 'stomp=127.0.0.1:0', tls: {certificate: FOLDER/none.pem, key: FOLDER/good.key}}]",
                    "1: listen[0].tls.certificate: FOLDER/none.pem: there is no such file"),
            broken(
                    "listen: [{at: 'stomp=127.0.0.1:0', tls: {certificate: FOLDER/good.pem}}]",
                    "1: listen[0].tls.certificate: names 1 files and tls.key names 0; each certificate needs its key"),
            broken(
                    "listen:\n  - at: stomp=127.0.0.1:0\n    tls:\n      certificate: FOLDER/good.pem\n"
                            + "      key: FOLDER/good.key\n      clientAuth: required",
                    "6: listen[0].tls.clientAuth: needs tls.trust, the certificates that may vouch for clients"),
            broken(
                    "listen:\n  - at: stomp=127.0.0.1:0\n    tls:\n      certificate: FOLDER/good.pem\n"
                            + "      key: FOLDER/good.key\n      passwordFile: FOLDER/plain",
                    "6: listen[0].tls.passwordFile: goes with tls.keystore, which is not set"),
            broken("security: {audit: FOLDER/unreadable}", "1: security.audit: FOLDER/unreadable is a folder"),
            broken("security: {audit: FOLDER/plain/audit.log}", "1: security.audit: FOLDER/plain is no folder"),
            broken(
                    "security: {audit: FOLDER/plain/logs/audit.log}",
                    "1: security.audit: the folder FOLDER/plain/logs cannot be made in FOLDER/plain"),
            broken("data: FOLDER/plain", "1: data: FOLDER/plain is no folder"),
            broken("data: FOLDER/plain/data", "1: data: the folder FOLDER/plain/data cannot be made in FOLDER/plain"));

    @TestFactory
    Stream<DynamicTest> isAnsweredWithWhatIsWrongAndWhere() {
        return Stream.of(NAMES, VALUES, SECURITY, PLACES)
                .flatMap(List::stream)
                .map(broken -> DynamicTest.dynamicTest(
                        broken.yaml(),
                        () -> assertThat(lines(broken.yaml()))
                                .containsExactlyElementsOf(broken.lines().stream()
                                        .map(BrokenConfigurationsTest::inFolder)
                                        .toList())));
    }

    private static String inFolder(String text) {
        return text.replace("FOLDER", folder.toString());
    }

    private static List<String> lines(String yaml) throws IOException {
        Path file = folder.resolve("t.yaml");
        Files.writeString(file, inFolder(yaml) + "\n");
        Configuration<Settings> configuration =
                Configuration.read(Settings.class, new Configuration.Sources(file, Map.of(), Map.of(), Map.of()));
        return SettingsChecks.problems(configuration, Transports.onClassPath()).stream()
                .map(Problem::toString)
                .map(line -> line.replace(file + ":", ""))
                .toList();
    }

    @Test
    void expiredAndForeignCertificatesAreNamedWithTheirFile() throws IOException {
        String at = "listen: [{at: 'stomp=127.0.0.1:0', tls: ";
        assertThat(lines(at + "{certificate: FOLDER/old.pem, key: FOLDER/old.key}}]"))
                .singleElement()
                .asString()
                .startsWith(inFolder("1: listen[0].tls.certificate: FOLDER/old.pem: "))
                .contains("expired");
        assertThat(lines(at + "{certificate: FOLDER/good.pem, key: FOLDER/other.key}}]"))
                .singleElement()
                .asString()
                .startsWith("1: listen[0].tls.key: ");
        assertThat(lines(at + "{keystore: FOLDER/good.p12, passwordFile: FOLDER/wrong.password}}]"))
                .singleElement()
                .asString()
                .startsWith("1: listen[0].tls.keystore: ");
    }

    @Test
    void thereAreFortyOfThem() {
        assertThat(Stream.of(NAMES, VALUES, SECURITY, PLACES)
                        .mapToInt(List::size)
                        .sum())
                .isGreaterThanOrEqualTo(40);
        assertThat(Set.copyOf(NAMES)).hasSameSizeAs(NAMES);
    }
}
