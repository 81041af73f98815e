package dev.turnstone.server.security;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.Principal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/**
 * The server's front door: hands each login to the one source of users that can check it. With a password, a user of
 * the users file or, if there is no such user, whoever else knows users; without one, the subject of a client
 * certificate; with nothing, anonymous, if configuration has that. Any thread.
 */
final class Logins implements Authenticator {
    private final FileUsers users;
    private final List<UserSource> others;
    private final @Nullable Set<String> anonymousRoles;
    private final boolean anonymousFromAnywhere;
    private final LoginThrottle throttle;

    /**
     * For these sources.
     *
     * @param anonymousRoles what those get who give no name; null if they do not get in
     * @param anonymousFromAnywhere false if they must come from this machine
     */
    Logins(
            FileUsers users,
            List<UserSource> others,
            @Nullable Set<String> anonymousRoles,
            boolean anonymousFromAnywhere,
            LoginThrottle throttle) {
        this.users = users;
        this.others = List.copyOf(others);
        this.anonymousRoles = anonymousRoles;
        this.anonymousFromAnywhere = anonymousFromAnywhere;
        this.throttle = throttle;
    }

    @Override
    public @Nullable Principal known(Login login) {
        boolean saysNothing = login.user() == null && login.password() == null && login.tlsSubject() == null;
        return saysNothing && anonymousRoles != null && (anonymousFromAnywhere || login.isLoopback())
                ? Principal.anonymous(anonymousRoles)
                : null;
    }

    @Override
    public CompletionStage<Principal> authenticate(Login login) {
        if (login.password() != null && !login.password().isEmpty()) {
            return throttle.check(login, sourceOf(login));
        }
        if (login.tlsSubject() != null) {
            return immediate(() -> certified(login, login.tlsSubject()));
        }
        return immediate(() -> anonymous(login));
    }

    private Authenticator sourceOf(Login login) {
        for (UserSource source : others) {
            if (source.claims(login, users.knows(login.user()))) {
                return source;
            }
        }
        return users;
    }

    private Principal certified(Login login, String subject) {
        String name = commonName(subject);
        if (login.user() != null && !login.user().equals(name)) {
            throw new BrokerException(
                    ErrorCode.UNAUTHENTICATED, "the client certificate is another user's and there is no password");
        }
        return users.certified(name);
    }

    private static String commonName(String subject) {
        try {
            for (Rdn part : new LdapName(subject).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN") && part.getValue() instanceof String name) {
                    return name;
                }
            }
        } catch (InvalidNameException e) {
            throw new BrokerException(ErrorCode.UNAUTHENTICATED, "the client certificate's subject is no name", e);
        }
        throw new BrokerException(ErrorCode.UNAUTHENTICATED, "the client certificate's subject has no common name");
    }

    private Principal anonymous(Login login) {
        if (login.user() == null && anonymousRoles != null && (anonymousFromAnywhere || login.isLoopback())) {
            return Principal.anonymous(anonymousRoles);
        }
        throw new BrokerException(ErrorCode.UNAUTHENTICATED, "a user and a password are needed");
    }

    private static CompletionStage<Principal> immediate(java.util.function.Supplier<Principal> check) {
        try {
            return CompletableFuture.completedStage(check.get());
        } catch (BrokerException refusal) {
            return CompletableFuture.failedStage(refusal);
        }
    }

    @Override
    public @Nullable Principal renew(Principal principal) {
        if (principal.name().equals(Principal.ANONYMOUS)) {
            return anonymousRoles == null ? null : Principal.anonymous(anonymousRoles);
        }
        Principal now = users.renew(principal);
        for (int i = 0; now == null && i < others.size(); i++) {
            now = others.get(i).renew(principal);
        }
        return now;
    }
}
