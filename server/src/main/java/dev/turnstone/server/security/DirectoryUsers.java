package dev.turnstone.server.security;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.ExtendedResult;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.RDN;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.extensions.StartTLSExtendedRequest;
import com.unboundid.util.ssl.HostNameSSLSocketVerifier;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Principal;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import javax.naming.ldap.Rdn;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Users of a directory (LDAP, RFC 4511): whoever can bind to the user's entry with the password is that user; the
 * groups that hold the entry are the roles. Any thread.
 */
final class DirectoryUsers implements UserSource {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryUsers.class);
    private static final String SOURCE = "ldap:";
    private static final int ROLES_MAX = 1_000;
    private static final int LDAP_PORT = 389;
    private static final int LDAPS_PORT = 636;
    /** What a directory answers for a password that is wrong, a user that is not there, and a name that is none. */
    private static final Set<ResultCode> REFUSALS =
            Set.of(ResultCode.INVALID_CREDENTIALS, ResultCode.NO_SUCH_OBJECT, ResultCode.INVALID_DN_SYNTAX);

    private final LdapSettings settings;
    private final SlowChecks checks;
    private final Predicate<String> taken;

    /**
     * Of this directory.
     *
     * @param taken whether a name is that of a user of the users file
     */
    DirectoryUsers(LdapSettings settings, SlowChecks checks, Predicate<String> taken) {
        this.settings = settings;
        this.checks = checks;
        this.taken = taken;
    }

    @Override
    public boolean claims(Login login, boolean inFile) {
        return login.user() != null && !inFile;
    }

    @Override
    public CompletionStage<Principal> authenticate(Login login) {
        String name = String.valueOf(login.user());
        String password = String.valueOf(login.password());
        return checks.run(login, () -> bind(name, password));
    }

    private Principal bind(String name, String password) {
        // An empty password would bind as nobody, which directories take for a success (RFC 4513, 5.1.2).
        if (password.isEmpty() || name.isEmpty()) {
            throw FileUsers.refused();
        }
        String dn = settings.userDn().replace("%u", Rdn.escapeValue(name));
        try (LDAPConnection connection = connect()) {
            connection.bind(dn, password);
            String own = ownName(connection, dn, name);
            // Written otherwise it is the same entry, but not for the users file.
            if (!own.equals(name) && taken.test(own)) {
                throw FileUsers.refused();
            }
            long until = System.currentTimeMillis() + settings.sessionMaxMs();
            return new Principal(UserSource.checked(own), roles(connection, dn, own), until, source());
        } catch (LDAPException e) {
            if (REFUSALS.contains(e.getResultCode())) {
                throw FileUsers.refused();
            }
            LOG.error("{}: the directory cannot check a login", settings.url(), e);
            // Nobody has guessed.
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED, "the directory cannot check the login now; the broker's log says why");
        }
    }

    /**
     * The name as the entry has it: directories take one name for another that differs in case and outer spaces, and a
     * user is one user here. Of a directory that does not show users their entries, the name in lower case.
     */
    private String ownName(LDAPConnection connection, String dn, String name) throws LDAPException {
        RDN[] asked = DN.getRDNs(settings.userDn());
        for (int i = 0; i < asked.length; i++) {
            String form = asked[i].getAttributeValues()[0];
            int at = form.indexOf("%u");
            if (at >= 0) {
                String found = entryName(connection, dn, i);
                int end = form.length() - at - 2;
                return found == null || found.length() <= at + end
                        ? LoginThrottle.normalized(name)
                        : found.substring(at, found.length() - end);
            }
        }
        return LoginThrottle.normalized(name);
    }

    /** What the entry's own name has at that place; null if it is not shown. */
    private static @Nullable String entryName(LDAPConnection connection, String dn, int place) throws LDAPException {
        try {
            // Its name alone.
            Entry entry = connection.getEntry(dn, SearchRequest.NO_ATTRIBUTES);
            return entry == null ? null : entry.getParsedDN().getRDNs()[place].getAttributeValues()[0];
        } catch (LDAPException e) {
            if (e.getResultCode().equals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS)) {
                LOG.debug("{}: not shown", dn, e);
                return null;
            }
            throw e;
        }
    }

    private LDAPConnection connect() throws LDAPException {
        URI url = URI.create(settings.url());
        boolean tls = url.getScheme().equals("ldaps");
        LDAPConnectionOptions options = new LDAPConnectionOptions();
        options.setConnectTimeoutMillis(settings.timeoutMs());
        options.setResponseTimeoutMillis(settings.timeoutMs());
        // A referral would send the password to a server that nobody has configured.
        options.setFollowReferrals(false);
        options.setSSLSocketVerifier(new HostNameSSLSocketVerifier(true));
        int port = url.getPort() >= 0 ? url.getPort() : tls ? LDAPS_PORT : LDAP_PORT;
        SocketFactory sockets = tls ? trusting() : SocketFactory.getDefault();
        LDAPConnection connection = new LDAPConnection(sockets, options, url.getHost(), port);
        if (settings.startTls()) {
            secure(connection);
        }
        return connection;
    }

    /** What the JVM trusts. */
    private static SSLSocketFactory trusting() {
        try {
            return SSLContext.getDefault().getSocketFactory();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("a JVM without TLS", e);
        }
    }

    /** Nothing is said to a directory that does not prove who it is. */
    private static void secure(LDAPConnection connection) throws LDAPException {
        try {
            ExtendedResult result = connection.processExtendedOperation(new StartTLSExtendedRequest(trusting()));
            if (!result.getResultCode().equals(ResultCode.SUCCESS)) {
                throw new LDAPException(result);
            }
        } catch (LDAPException e) {
            connection.close();
            throw e;
        }
    }

    private Set<String> roles(LDAPConnection connection, String dn, String name) throws LDAPException {
        String groups = settings.groups();
        Set<String> roles = new HashSet<>();
        if (groups == null) {
            return roles;
        }
        Filter filter = Filter.create(
                settings.groupFilter().replace("%d", Filter.encodeValue(dn)).replace("%u", Filter.encodeValue(name)));
        SearchRequest request = new SearchRequest(groups, SearchScope.SUB, filter, settings.groupName());
        request.setSizeLimit(ROLES_MAX);
        for (SearchResultEntry group : connection.search(request).getSearchEntries()) {
            String role = group.getAttributeValue(settings.groupName());
            if (role != null) {
                roles.add(role);
            }
        }
        return roles;
    }

    private String source() {
        return SOURCE + settings.url() + " " + settings.userDn();
    }

    @Override
    public @Nullable Principal renew(Principal principal) {
        return principal.source().equals(source()) ? principal : null;
    }
}
