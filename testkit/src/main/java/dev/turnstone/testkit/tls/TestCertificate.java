package dev.turnstone.testkit.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A certificate that vouches for itself, with its key, in a folder: in PEM form and as PKCS #12. Made by the JDK's
 * keytool; immutable.
 */
public final class TestCertificate {
    private static final String PASSWORD = "correct horse";

    private final Path folder;
    private final String name;

    private TestCertificate(Path folder, String name) {
        this.folder = folder;
        this.name = name;
    }

    /** A new certificate of {@code CN=name} for localhost, 127.0.0.1 and the name, valid for two days from now. */
    public static TestCertificate create(Path folder, String name) throws IOException {
        return create(folder, name, "-startdate", "-1H", "-validity", "2");
    }

    /** One whose day was over yesterday. */
    public static TestCertificate expired(Path folder, String name) throws IOException {
        return create(folder, name, "-startdate", "-2d", "-validity", "1");
    }

    private static TestCertificate create(Path folder, String name, String... dates) throws IOException {
        TestCertificate made = new TestCertificate(folder, name);
        made.runKeytool(dates);
        Files.writeString(made.passwordFile(), PASSWORD + "\n");
        try {
            KeyStore store = made.load();
            write(made.certificate(), "CERTIFICATE", store.getCertificate(name).getEncoded());
            write(
                    made.key(),
                    "PRIVATE KEY",
                    store.getKey(name, PASSWORD.toCharArray()).getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IOException("keytool's file cannot be read", e);
        }
        return made;
    }

    private void runKeytool(String... dates) throws IOException {
        Files.deleteIfExists(keystore());
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair"));
        command.addAll(List.of("-alias", name, "-dname", "CN=" + name, "-keyalg", "EC", "-groupname", "secp256r1"));
        command.addAll(List.of("-ext", "san=dns:localhost,ip:127.0.0.1,dns:" + name));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        command.addAll(List.of("-keystore", keystore().toString()));
        command.addAll(List.of(dates));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (keytool.waitFor() != 0) {
                throw new IOException("keytool failed: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void write(Path file, String what, byte[] encoded) throws IOException {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        Files.writeString(file, "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n");
    }

    private KeyStore load() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keystore())) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    /** The certificate in PEM form. */
    public Path certificate() {
        return folder.resolve(name + ".pem");
    }

    /** The private key in PEM form. */
    public Path key() {
        return folder.resolve(name + ".key");
    }

    /** Both as PKCS #12. */
    public Path keystore() {
        return folder.resolve(name + ".p12");
    }

    /** The file with the password of {@link #keystore}. */
    public Path passwordFile() {
        return folder.resolve(name + ".password");
    }

    /** The certificate itself. */
    public X509Certificate x509() throws IOException {
        try {
            return (X509Certificate) load().getCertificate(name);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /**
     * For a client that trusts a server with this certificate and no other.
     *
     * @param own what the client shows if it is asked; null for nothing
     */
    public SSLContext clientContext(@Nullable TestCertificate own) throws IOException {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("server", x509());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own == null ? null : own.keys().getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private KeyManagerFactory keys() throws IOException, GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(load(), PASSWORD.toCharArray());
        return keys;
    }
}
