package dev.turnstone.transport.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.Listener;
import dev.turnstone.testkit.tls.TestCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsListenerTest {
    @TempDir
    static Path certificates;

    private static TestCertificate server;
    private static TestCertificate other;

    @TempDir
    Path folder;

    private final Talks talks = new Talks();

    @BeforeAll
    static void createCertificates() throws IOException {
        server = TestCertificate.create(certificates, "server.test");
        other = TestCertificate.create(certificates, "other.test");
    }

    @AfterEach
    void close() {
        talks.close();
    }

    private static WireSettings settings(String... named) {
        Map<String, String> all = new HashMap<>(Map.of("lingerMs", "2000"));
        for (int i = 0; i < named.length; i += 2) {
            all.put(named[i], named[i + 1]);
        }
        ListenSettings given = new ListenSettings("talk", all);
        WireSettings settings = WireSettings.read(given);
        given.end();
        return settings;
    }

    private static String[] pem(TestCertificate own, String... more) {
        String[] all = new String[more.length + 4];
        System.arraycopy(more, 0, all, 0, more.length);
        all[more.length] = "tls.certificate";
        all[more.length + 1] = own.certificate().toString();
        all[more.length + 2] = "tls.key";
        all[more.length + 3] = own.key().toString();
        return all;
    }

    private Listener listen(String... named) {
        return talks.bind(new ListenRequest(Talks.HOST, 0, Map.of()), settings(named));
    }

    private static SSLSocket connect(Listener listener, SSLContext context) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(Talks.HOST, listener.port());
        socket.setSoTimeout((int) Talks.SOON.toMillis());
        return socket;
    }

    private static SSLSocket connect(Listener listener) throws IOException {
        return connect(listener, server.clientContext(null));
    }

    private static String answer(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        byte[] bytes = new byte[1_000];
        int count = socket.getInputStream().read(bytes);
        return new String(bytes, 0, Math.max(0, count), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aLastPieceReachesAPeerThatIsStillSending(String version) throws IOException {
        Listener listener = listen(pem(server));
        try (SSLSocket socket = connect(listener)) {
            socket.setEnabledProtocols(new String[] {version});
            assertThat(answer(socket, "echo")).isEqualTo("echo");
            assertThat(socket.getSession().getProtocol()).isEqualTo(version);
            socket.getOutputStream().write(("finish" + "x".repeat(300_000)).getBytes(StandardCharsets.UTF_8));
            // Throws if the end is not TLS's own.
            assertThat(socket.getInputStream().readAllBytes()).asString().isEqualTo("goodbye");
        }
        await().atMost(Talks.SOON).until(() -> talks.first().ends.get() == 1);
    }

    @Test
    void aPeerThatDoesNotSpeakTlsIsToldNothingAndReachesNoProtocol() throws IOException {
        Listener listener = listen(pem(server, "loginTimeoutMs", "1000"));
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), listener.port());
                Socket silent = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            plain.setSoTimeout((int) Talks.SOON.toMillis());
            silent.setSoTimeout((int) Talks.SOON.toMillis());
            plain.getOutputStream().write("echo".repeat(100).getBytes(StandardCharsets.UTF_8));
            assertThat(plain.getInputStream().readAllBytes()).asString().doesNotContain("echo");
            assertThat(silent.getInputStream().readAllBytes()).isEmpty();
        }
        assertThat(talks.talks).isEmpty();
    }

    @Test
    void certificatesComeAsPkcs12Too() throws IOException {
        Listener listener = listen(
                "tls.keystore", server.keystore().toString(),
                "tls.passwordFile", server.passwordFile().toString());
        try (SSLSocket socket = connect(listener)) {
            assertThat(answer(socket, "who")).isEqualTo("null");
        }
    }

    @Test
    void aClientsCertificateIsItsNameIfItIsTrusted() throws IOException {
        Listener listener = listen(pem(
                server,
                "tls.clientAuth",
                "request",
                "tls.trust",
                other.certificate().toString()));
        try (SSLSocket known = connect(listener, server.clientContext(other));
                SSLSocket nobody = connect(listener)) {
            assertThat(answer(known, "who")).isEqualTo("CN=other.test");
            assertThat(answer(nobody, "who")).isEqualTo("null");
        }
    }

    @Test
    void whoHasNoTrustedCertificateDoesNotGetInIfOneIsRequired() throws IOException {
        Listener listener = listen(pem(
                server,
                "tls.clientAuth",
                "required",
                "tls.trust",
                other.certificate().toString()));
        for (TestCertificate own : new TestCertificate[] {null, server}) {
            try (SSLSocket stranger = connect(listener, server.clientContext(own))) {
                assertThatThrownBy(() -> {
                            if (answer(stranger, "who").isEmpty()) {
                                throw new IOException("closed without an answer");
                            }
                        })
                        .isInstanceOf(IOException.class);
            }
        }
        assertThat(talks.talks).isEmpty();
        try (SSLSocket known = connect(listener, server.clientContext(other))) {
            assertThat(answer(known, "who")).isEqualTo("CN=other.test");
        }
    }

    @Test
    void ofSeveralCertificatesTheOneIsShownThatHasTheNameTheClientCallsBy() throws IOException {
        Listener listener = listen(
                "tls.certificate", server.certificate() + ", " + other.certificate(),
                "tls.key", server.key() + ", " + other.key());
        assertThat(shown(listener, server, "server.test").getName()).isEqualTo("CN=server.test");
        assertThat(shown(listener, other, "other.test").getName()).isEqualTo("CN=other.test");
        assertThat(shown(listener, server, null).getName()).isEqualTo("CN=server.test");
    }

    private static Principal shown(Listener listener, TestCertificate expected, @Nullable String name)
            throws IOException {
        try (SSLSocket socket = connect(listener, expected.clientContext(null))) {
            if (name != null) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setServerNames(List.of(new SNIHostName(name)));
                socket.setSSLParameters(parameters);
            }
            socket.startHandshake();
            return socket.getSession().getPeerPrincipal();
        }
    }

    @Test
    void aNewCertificateIsShownToNewConnectionsAndEndsNone() throws IOException {
        TestCertificate first = TestCertificate.create(folder, "renewed.test");
        Listener listener = listen(pem(first));
        try (SSLSocket old = connect(listener, first.clientContext(null))) {
            assertThat(answer(old, "echo")).isEqualTo("echo");
            SSLContext trustingFirst = first.clientContext(null);
            SSLContext trustingSecond =
                    TestCertificate.create(folder, "renewed.test").clientContext(null);
            Runnable change = listener.reread();
            handshake(listener, trustingFirst);
            change.run();
            await().atMost(Talks.SOON).ignoreExceptions().untilAsserted(() -> {
                for (int i = 0; i < 2 * talks.loops.count(); i++) {
                    handshake(listener, trustingSecond);
                }
            });
            assertThatThrownBy(() -> handshake(listener, trustingFirst)).isInstanceOf(IOException.class);
            assertThat(answer(old, "echo")).isEqualTo("echo");
        }
    }

    private static KeyStore opened(TestCertificate from) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(from.keystore())) {
            store.load(in, password(from));
        }
        return store;
    }

    private static char[] password(TestCertificate of) throws IOException {
        return Files.readString(of.passwordFile()).strip().toCharArray();
    }

    private static void write(KeyStore store, Path path, TestCertificate withPasswordOf)
            throws GeneralSecurityException, IOException {
        try (OutputStream out = Files.newOutputStream(path)) {
            store.store(out, password(withPasswordOf));
        }
    }

    @Test
    void aKeyStoreThatHoldsMoreThanBeforeShowsEachToWhoCallsIt() throws Exception {
        Path file = Files.copy(server.keystore(), folder.resolve("growing.p12"));
        Listener listener = listen(
                "tls.keystore",
                file.toString(),
                "tls.passwordFile",
                server.passwordFile().toString());
        assertThat(shown(listener, server, "other.test").getName()).isEqualTo("CN=server.test");
        KeyStore both = opened(server);
        KeyStore second = opened(other);
        String alias = second.aliases().nextElement();
        both.setKeyEntry(
                "second", second.getKey(alias, password(other)), password(server), second.getCertificateChain(alias));
        write(both, file, server);
        listener.reread().run();
        await().atMost(Talks.SOON)
                .ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(shown(listener, other, "other.test").getName())
                                .isEqualTo("CN=other.test"));
    }

    private static void handshake(Listener listener, SSLContext context) throws IOException {
        try (SSLSocket socket = connect(listener, context)) {
            socket.startHandshake();
        }
    }

    @Test
    void aCertificateThatCannotBeUsedDoesNotReplaceTheOneThatCan() throws IOException {
        TestCertificate own = TestCertificate.create(folder, "own.test");
        Listener listener = listen(pem(own));
        SSLContext trusting = own.clientContext(null);
        Files.writeString(own.certificate(), "half a certif");
        assertThatThrownBy(listener::reread).isInstanceOf(BrokerException.class);
        handshake(listener, trusting);
    }

    private void refused(String why, String... named) {
        assertThatThrownBy(() -> listen(named))
                .extracting(e -> e instanceof BrokerException ? e : e.getCause())
                .isInstanceOfSatisfying(BrokerException.class, refusal -> {
                    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION);
                    assertThat(refusal)
                            .hasMessageStartingWith("talk listener: ")
                            .hasMessageContaining(why);
                });
    }

    @Test
    void filesThatCannotBeUsedAreNamedWithTheirSetting() throws IOException {
        Path broken = folder.resolve("broken");
        String certificate = server.certificate().toString();
        String key = server.key().toString();
        String missing = folder.resolve("missing").toString();
        refused("tls.certificate: " + missing + ": there is no such file", "tls.certificate", missing, "tls.key", key);
        refused("tls.key: " + missing + ": there is no such file", "tls.certificate", certificate, "tls.key", missing);
        refused(
                "tls.key: " + folder + ": cannot be read",
                "tls.certificate",
                certificate,
                "tls.key",
                folder.toString());
        refused("holds no certificate in PEM form", "tls.certificate", key, "tls.key", key);
        refused("holds no private key in PEM form", "tls.certificate", certificate, "tls.key", certificate);
        refused(
                "tls.key: " + other.key() + ": is not the key of the certificate in " + certificate,
                "tls.certificate",
                certificate,
                "tls.key",
                other.key().toString());
        Files.writeString(broken, "-----BEGIN ENCRYPTED PRIVATE KEY-----\n");
        refused("holds an ENCRYPTED PRIVATE KEY", "tls.certificate", certificate, "tls.key", broken.toString());
        Files.writeString(broken, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        refused("a private key that is damaged", "tls.certificate", certificate, "tls.key", broken.toString());
        Files.writeString(broken, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        refused("a certificate that cannot be read", "tls.certificate", broken.toString(), "tls.key", key);
        refused(
                "tls.trust: " + broken + ": holds a certificate that cannot be read",
                pem(server, "tls.clientAuth", "request", "tls.trust", broken.toString()));
    }

    @Test
    void anExpiredCertificateIsRefusedWithItsDate() throws IOException {
        TestCertificate old = TestCertificate.expired(folder, "old.test");
        String end = old.x509().getNotAfter().toInstant().toString();
        refused(old.certificate() + ": the certificate of CN=old.test expired at " + end, pem(old));
        refused(
                old.keystore() + ": the certificate of CN=old.test expired at " + end,
                "tls.keystore",
                old.keystore().toString(),
                "tls.passwordFile",
                old.passwordFile().toString());
    }

    @Test
    void aWrongPasswordIsToldFromAFileThatIsNoKeyStore() throws IOException {
        Path wrong = Files.writeString(folder.resolve("wrong"), "battery staple\n");
        refused(
                server.keystore() + ": the password in " + wrong + " (tls.passwordFile) is wrong",
                "tls.keystore",
                server.keystore().toString(),
                "tls.passwordFile",
                wrong.toString());
        refused(
                wrong + ": is not a PKCS #12 file",
                "tls.keystore",
                wrong.toString(),
                "tls.passwordFile",
                server.passwordFile().toString());
    }

    @Test
    void settingsThatContradictEachOtherAreRefused() {
        String any = "any";
        refused("TLS needs either", "tls.key", any);
        refused("TLS needs either", "tls.certificate", any, "tls.key", any, "tls.keystore", any);
        refused("TLS needs either", "tls.trust", any, "tls.clientAuth", "required");
        refused("tls.certificate names 2 files and tls.key names 1", "tls.certificate", "a,b", "tls.key", any);
        refused("tls.keystore needs tls.passwordFile", "tls.keystore", any);
        refused("tls.passwordFile goes with tls.keystore", pem(server, "tls.passwordFile", any));
        refused("tls.key goes with tls.certificate", "tls.keystore", any, "tls.passwordFile", any, "tls.key", any);
        refused("tls.clientAuth needs tls.trust", pem(server, "tls.clientAuth", "required"));
        refused("tls.trust goes with tls.clientAuth", pem(server, "tls.trust", any));
        refused("tls.clientAuth must be one of [none, request, required], not 'yes'", "tls.clientAuth", "yes");
        refused("tls.key names no file", "tls.key", "");
        refused("tls.keystore names more than one file", "tls.keystore", "a,b");
        refused("unknown setting 'tls.cert'", "tls.cert", any);
    }
}
