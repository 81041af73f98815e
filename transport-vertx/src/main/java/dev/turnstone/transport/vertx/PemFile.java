package dev.turnstone.transport.vertx;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and keys in PEM form (RFC 7468). Any thread. */
final class PemFile {
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----");
    private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
    private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN ((?:ENCRYPTED|[A-Z]+) PRIVATE KEY)-----");
    private static final List<String> KEY_KINDS = List.of("RSA", "EC", "EdDSA");

    private PemFile() {}

    /**
     * The file's certificates in their order; at least one.
     *
     * @throws dev.turnstone.port.BrokerException INVALID_CONFIGURATION if there is none, or one that cannot be read
     */
    static List<X509Certificate> certificates(TlsFile file) {
        Matcher found = CERTIFICATE.matcher(file.text());
        List<X509Certificate> certificates = new ArrayList<>();
        while (found.find()) {
            certificates.add(certificate(file, found.group()));
        }
        if (certificates.isEmpty()) {
            throw file.refused("holds no certificate in PEM form (BEGIN CERTIFICATE)");
        }
        return certificates;
    }

    private static X509Certificate certificate(TlsFile file, String pem) {
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            byte[] bytes = pem.getBytes(StandardCharsets.US_ASCII);
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes));
        } catch (CertificateException e) {
            throw file.refused("holds a certificate that cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * The file's private key, in PKCS #8 form without encryption.
     *
     * @throws dev.turnstone.port.BrokerException INVALID_CONFIGURATION if there is none that can be read
     */
    static PrivateKey key(TlsFile file) {
        String text = file.text();
        Matcher found = KEY.matcher(text);
        if (found.find()) {
            return privateKey(file, found.group(1));
        }
        Matcher other = OTHER_KEY.matcher(text);
        if (other.find()) {
            throw file.refused("holds an " + other.group(1) + "; what is needed is a PRIVATE KEY, as"
                    + " 'openssl pkcs8 -topk8 -nocrypt' makes it, or a PKCS #12 file under tls.keystore");
        }
        throw file.refused("holds no private key in PEM form (BEGIN PRIVATE KEY)");
    }

    private static PrivateKey privateKey(TlsFile file, String base64) {
        PKCS8EncodedKeySpec encoded;
        try {
            encoded = new PKCS8EncodedKeySpec(
                    Base64.getDecoder().decode(base64.replaceAll("\\s", "").getBytes(StandardCharsets.ISO_8859_1)));
        } catch (IllegalArgumentException e) {
            throw file.refused("holds a private key that is damaged", e);
        }
        InvalidKeySpecException unfit = new InvalidKeySpecException("no kind of key fits");
        for (String kind : KEY_KINDS) {
            try {
                return KeyFactory.getInstance(kind).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // A key of another kind, or damaged: which is known when all kinds were tried.
                unfit.addSuppressed(e);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this Java knows no keys of kind " + kind, e);
            }
        }
        throw file.refused(
                "holds a private key that is damaged, or of no kind of " + String.join(", ", KEY_KINDS), unfit);
    }
}
