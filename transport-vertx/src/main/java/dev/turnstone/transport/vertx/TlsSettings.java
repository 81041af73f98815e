package dev.turnstone.transport.vertx;

import dev.turnstone.port.BrokerException;
import io.vertx.core.http.ClientAuth;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a listener speaks TLS. Its own certificates come from PEM files or from one PKCS #12 file; of several the one is
 * presented that has the name by which the client calls (SNI), else the first.
 *
 * @param certificates setting {@code tls.certificate}: PEM files, each with a certificate and those that vouch for it
 * @param keys setting {@code tls.key}: the private keys of these, in the same order
 * @param keystore setting {@code tls.keystore}: a PKCS #12 file instead
 * @param passwordFile setting {@code tls.passwordFile}: its first line is the password of the PKCS #12 file
 * @param clientAuth setting {@code tls.clientAuth}: whether clients are asked for a certificate
 * @param trust setting {@code tls.trust}: a PEM file with the certificates that may vouch for those of clients
 */
record TlsSettings(
        List<TlsFile> certificates,
        List<TlsFile> keys,
        @Nullable TlsFile keystore,
        @Nullable TlsFile passwordFile,
        ClientAuth clientAuth,
        @Nullable TlsFile trust) {
    private static final String CERTIFICATE = "tls.certificate";
    private static final String KEY = "tls.key";
    private static final String KEYSTORE = "tls.keystore";
    private static final String PASSWORD_FILE = "tls.passwordFile";
    private static final String CLIENT_AUTH = "tls.clientAuth";
    private static final String TRUST = "tls.trust";
    private static final Map<String, ClientAuth> CLIENT_AUTHS =
            Map.of("none", ClientAuth.NONE, "request", ClientAuth.REQUEST, "required", ClientAuth.REQUIRED);

    /**
     * Reads them from a listener's settings; null if it does not speak TLS.
     *
     * @throws BrokerException INVALID_CONFIGURATION if they contradict each other
     */
    static @Nullable TlsSettings read(ListenSettings given) {
        TlsSettings tls = new TlsSettings(
                given.files(CERTIFICATE),
                given.files(KEY),
                given.file(KEYSTORE),
                given.file(PASSWORD_FILE),
                given.choice(CLIENT_AUTH, "none", CLIENT_AUTHS),
                given.file(TRUST));
        if (tls.isAbsent()) {
            return null;
        }
        tls.check(given);
        return tls;
    }

    private boolean isAbsent() {
        return certificates.isEmpty()
                && keys.isEmpty()
                && keystore == null
                && passwordFile == null
                && clientAuth == ClientAuth.NONE
                && trust == null;
    }

    private void check(ListenSettings given) {
        if (certificates.isEmpty() == (keystore == null)) {
            throw given.refused(
                    "TLS needs either " + CERTIFICATE + " and " + KEY + ", or " + KEYSTORE + " and " + PASSWORD_FILE);
        }
        if (certificates.size() != keys.size()) {
            throw given.refused(CERTIFICATE + " names " + certificates.size() + " files and " + KEY + " names "
                    + keys.size() + "; each certificate needs its key");
        }
        if ((keystore == null) != (passwordFile == null)) {
            throw given.refused(KEYSTORE + " and " + PASSWORD_FILE + " go together");
        }
        if ((clientAuth == ClientAuth.NONE) != (trust == null)) {
            throw given.refused(TRUST + " goes together with " + CLIENT_AUTH + ": request or required");
        }
    }
}
