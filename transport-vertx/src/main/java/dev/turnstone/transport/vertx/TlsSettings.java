package dev.turnstone.transport.vertx;

import dev.turnstone.port.BrokerException;
import dev.turnstone.spi.ListenSetting;
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
    private static final ListenSetting CERTIFICATE = new ListenSetting(
            "tls.certificate",
            "",
            "PEM files, each with a certificate and those that vouch for it; see [TLS](security.md#tls)");
    private static final ListenSetting KEY =
            new ListenSetting("tls.key", "", "the private keys of these, in the same order");
    private static final ListenSetting KEYSTORE = new ListenSetting("tls.keystore", "", "a PKCS #12 file instead");
    private static final ListenSetting PASSWORD_FILE =
            new ListenSetting("tls.passwordFile", "", "a file whose first line is the password of the PKCS #12 file");
    private static final ListenSetting CLIENT_AUTH = new ListenSetting(
            "tls.clientAuth", "none", "whether clients are asked for a certificate: `none`, `request`, `required`");
    private static final ListenSetting TRUST =
            new ListenSetting("tls.trust", "", "a PEM file with the certificates that may vouch for those of clients");

    /** All of them. */
    static final List<ListenSetting> ALL = List.of(CERTIFICATE, KEY, KEYSTORE, PASSWORD_FILE, CLIENT_AUTH, TRUST);

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
                given.choice(CLIENT_AUTH, CLIENT_AUTHS),
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
            throw given.refused("TLS needs either " + CERTIFICATE.name() + " and " + KEY.name() + ", or "
                    + KEYSTORE.name() + " and " + PASSWORD_FILE.name());
        }
        if (keystore != null && !keys.isEmpty()) {
            throw given.refused(KEY.name() + " goes with " + CERTIFICATE.name() + ", not with " + KEYSTORE.name());
        }
        if (certificates.size() != keys.size()) {
            throw given.refused(CERTIFICATE.name() + " names " + certificates.size() + " files and " + KEY.name()
                    + " names " + keys.size() + "; each certificate needs its key");
        }
        // A refusal begins with a setting that is there: its line is the one that is shown.
        if (keystore != null && passwordFile == null) {
            throw given.refused(KEYSTORE.name() + " needs " + PASSWORD_FILE.name());
        }
        if (keystore == null && passwordFile != null) {
            throw given.refused(PASSWORD_FILE.name() + " goes with " + KEYSTORE.name() + ", which is not set");
        }
        if (clientAuth != ClientAuth.NONE && trust == null) {
            throw given.refused(
                    CLIENT_AUTH.name() + " needs " + TRUST.name() + ", the certificates that may vouch for clients");
        }
        if (clientAuth == ClientAuth.NONE && trust != null) {
            throw given.refused(TRUST.name() + " goes with " + CLIENT_AUTH.name() + ": request or required");
        }
    }
}
