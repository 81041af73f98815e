package dev.turnstone.transport.vertx;

import dev.turnstone.port.BrokerException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.TrustManagerFactory;

/**
 * Reads a listener's certificates and checks them before anybody is shown them: that they can be read, are valid today
 * and belong to their keys. Whatever form they come in, Vert.x gets them as PKCS #12 in memory, so that it never reads
 * half of a file that is being replaced. Any thread.
 */
final class Certificates {
    private static final String PKCS12 = "PKCS12";
    /** PKCS #12 in memory has to have a password; there is nobody that it would keep out. */
    private static final String IN_MEMORY = "in memory";

    private static final byte[] SAMPLE = {1, 2, 3};

    private final TlsSettings settings;

    private Certificates(TlsSettings settings) {
        this.settings = settings;
    }

    /**
     * TLS 1.2 and 1.3 with the certificates that the files hold now.
     *
     * @param handshakeTimeoutMs how long a peer may take for the handshake
     * @throws BrokerException INVALID_CONFIGURATION that names the setting and the file
     */
    static ServerSSLOptions read(TlsSettings settings, int handshakeTimeoutMs) {
        return new Certificates(settings).options(handshakeTimeoutMs);
    }

    /** Makes a server that is not bound yet speak TLS. */
    static void apply(ServerSSLOptions tls, NetServerOptions server) {
        server.setSsl(true)
                .setSni(tls.isSni())
                .setClientAuth(tls.getClientAuth())
                .setSslHandshakeTimeout(tls.getSslHandshakeTimeout())
                .setSslHandshakeTimeoutUnit(tls.getSslHandshakeTimeoutUnit())
                .setKeyCertOptions(tls.getKeyCertOptions())
                .setTrustOptions(tls.getTrustOptions())
                .setEnabledSecureTransportProtocols(tls.getEnabledSecureTransportProtocols());
    }

    private ServerSSLOptions options(int handshakeTimeoutMs) {
        try {
            KeyStore own = settings.keystore() == null ? fromPem() : fromKeystore(settings.keystore());
            ServerSSLOptions options = new ServerSSLOptions()
                    .setKeyCertOptions(new PfxOptions().setValue(written(own)).setPassword(IN_MEMORY))
                    // Of a key store that is read again it may hold more by then, and this cannot change any more.
                    .setSni(settings.keystore() != null || own.size() > 1)
                    .setClientAuth(settings.clientAuth())
                    .setSslHandshakeTimeout(handshakeTimeoutMs)
                    .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                    .setEnabledSecureTransportProtocols(Set.of("TLSv1.3", "TLSv1.2"));
            if (settings.clientAuth() != ClientAuth.NONE && settings.trust() != null) {
                options.setTrustOptions(trusted(settings.trust()));
            }
            return options;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("certificates that were read do not fit into memory's key store", e);
        }
    }

    private KeyStore fromPem() throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        for (int i = 0; i < settings.certificates().size(); i++) {
            TlsFile keyFile = settings.keys().get(i);
            TlsFile certificateFile = settings.certificates().get(i);
            List<X509Certificate> chain = PemFile.certificates(certificateFile);
            PrivateKey key = PemFile.key(keyFile);
            checkDates(chain, certificateFile);
            if (!belong(key, chain.get(0).getPublicKey())) {
                throw keyFile.refused("is not the key of the certificate in " + certificateFile.path());
            }
            add(store, key, chain.toArray(Certificate[]::new));
        }
        return store;
    }

    private KeyStore fromKeystore(TlsFile file) throws GeneralSecurityException, IOException {
        TlsFile passwordFile = settings.passwordFile();
        char[] password =
                passwordFile == null ? new char[0] : passwordFile.firstLine().toCharArray();
        KeyStore given = opened(file, password);
        KeyStore store = emptyStore();
        for (String alias : Collections.list(given.aliases())) {
            Key key = given.isKeyEntry(alias) ? keyOf(file, given, alias, password) : null;
            Certificate[] chain = given.getCertificateChain(alias);
            if (key instanceof PrivateKey privateKey && chain != null && chain.length > 0) {
                checkDates(List.of(chain), file);
                add(store, privateKey, chain);
            }
        }
        if (store.size() == 0) {
            throw file.refused("holds no private key with a certificate");
        }
        return store;
    }

    private KeyStore opened(TlsFile file, char[] password) throws GeneralSecurityException {
        KeyStore given = KeyStore.getInstance(PKCS12);
        try {
            given.load(new ByteArrayInputStream(file.bytes()), password);
            return given;
        } catch (IOException e) {
            if (e.getCause() instanceof UnrecoverableKeyException && settings.passwordFile() != null) {
                throw file.refused(
                        "the password in " + settings.passwordFile().path() + " (tls.passwordFile) is wrong", e);
            }
            throw file.refused("is not a PKCS #12 file: " + e.getMessage(), e);
        }
    }

    private static Key keyOf(TlsFile file, KeyStore given, String alias, char[] password)
            throws GeneralSecurityException {
        try {
            return given.getKey(alias, password);
        } catch (UnrecoverableKeyException e) {
            throw file.refused("the key '" + alias + "' has a password of its own", e);
        }
    }

    private static TrustOptions trusted(TlsFile file) throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        List<X509Certificate> certificates = PemFile.certificates(file);
        checkDates(certificates, file);
        for (X509Certificate certificate : certificates) {
            store.setCertificateEntry("trusted" + store.size(), certificate);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return TrustOptions.wrap(factory);
    }

    private static void checkDates(List<? extends Certificate> chain, TlsFile file) {
        for (Certificate one : chain) {
            if (one instanceof X509Certificate certificate) {
                checkDates(certificate, file);
            }
        }
    }

    private static void checkDates(X509Certificate certificate, TlsFile file) {
        String subject = "the certificate of " + certificate.getSubjectX500Principal();
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException e) {
            throw file.refused(
                    subject + " expired at " + certificate.getNotAfter().toInstant(), e);
        } catch (CertificateNotYetValidException e) {
            throw file.refused(
                    subject + " is not valid before "
                            + certificate.getNotBefore().toInstant(),
                    e);
        }
    }

    /** What the one signs the other must verify. */
    private static boolean belong(PrivateKey key, PublicKey shown) throws GeneralSecurityException {
        if (!key.getAlgorithm().equals(shown.getAlgorithm())) {
            return false;
        }
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(SAMPLE);
        byte[] signed = signing.sign();
        Signature verifying = Signature.getInstance(algorithm);
        verifying.initVerify(shown);
        verifying.update(SAMPLE);
        return verifying.verify(signed);
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(PKCS12);
        store.load(null, null);
        return store;
    }

    private static void add(KeyStore store, PrivateKey key, Certificate[] chain) throws GeneralSecurityException {
        store.setKeyEntry("own" + store.size(), key, IN_MEMORY.toCharArray(), chain);
    }

    private static Buffer written(KeyStore store) throws GeneralSecurityException, IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        store.store(bytes, IN_MEMORY.toCharArray());
        return Buffer.buffer(bytes.toByteArray());
    }
}
