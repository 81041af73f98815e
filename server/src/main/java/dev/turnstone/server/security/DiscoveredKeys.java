package dev.turnstone.server.security;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jose.util.ResourceRetriever;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an issuer who says where they are (OpenID Connect Discovery 1.0): asked for when the first token comes,
 * and again from time to time, or when they cannot be fetched from there any more. Any thread.
 */
final class DiscoveredKeys implements JWKSource<SecurityContext> {
    private static final String DOCUMENT = ".well-known/openid-configuration";
    private static final long FRESH_NANOS = TimeUnit.HOURS.toNanos(1);

    private final String issuer;
    private final ResourceRetriever retriever;
    private final Function<URL, JWKSource<SecurityContext>> open;
    private @Nullable URI place;
    private @Nullable JWKSource<SecurityContext> keys;
    private long askedNanos;

    /**
     * Of an issuer whose name is a URL.
     *
     * @param open makes the source of the keys at a URL
     */
    DiscoveredKeys(String issuer, ResourceRetriever retriever, Function<URL, JWKSource<SecurityContext>> open) {
        this.issuer = issuer;
        this.retriever = retriever;
        this.open = open;
    }

    @Override
    public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) throws KeySourceException {
        JWKSource<SecurityContext> known = keys(false);
        try {
            return known.get(selector, context);
        } catch (RateLimitReachedException e) {
            throw e;
        } catch (KeySourceException e) {
            // They may have moved.
            JWKSource<SecurityContext> moved = keys(true);
            if (moved == known) {
                throw e;
            }
            return moved.get(selector, context);
        }
    }

    private synchronized JWKSource<SecurityContext> keys(boolean anew) throws KeySourceException {
        JWKSource<SecurityContext> known = keys;
        if (known != null && !anew && System.nanoTime() - askedNanos < FRESH_NANOS) {
            return known;
        }
        URI said;
        URL at;
        try {
            said = ask();
            at = said.toURL();
        } catch (IOException | ParseException | URISyntaxException e) {
            if (known != null && !anew) {
                // Who does not say where the keys are now has said so before.
                return known;
            }
            throw new RemoteKeySourceException(issuer + " does not say where its keys are: " + e.getMessage(), e);
        }
        askedNanos = System.nanoTime();
        if (known == null || !said.equals(place)) {
            place = said;
            known = open.apply(at);
            keys = known;
        }
        return known;
    }

    private URI ask() throws IOException, ParseException, URISyntaxException {
        // OpenID Connect Discovery 1.0, 4.1: a slash at the end of the issuer's name is left out.
        String base = issuer.endsWith("/") ? issuer : issuer + "/";
        Map<String, Object> document = JSONObjectUtils.parse(
                retriever.retrieveResource(URI.create(base + DOCUMENT).toURL()).getContent());
        String name = JSONObjectUtils.getString(document, "issuer");
        if (!issuer.equals(name)) {
            throw new IOException("its document is of the issuer " + name);
        }
        String said = JSONObjectUtils.getString(document, "jwks_uri");
        if (said == null) {
            throw new IOException("its document has no jwks_uri");
        }
        URI uri = new URI(said);
        boolean safe = "https".equals(uri.getScheme())
                || "http".equals(uri.getScheme()) && JwtSettings.isLoopback(String.valueOf(uri.getHost()));
        if (!safe) {
            throw new IOException("keys from " + said + " could be anybody's");
        }
        return uri;
    }
}
