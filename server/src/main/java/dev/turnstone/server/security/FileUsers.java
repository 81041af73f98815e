package dev.turnstone.server.security;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.Principal;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The users of a users file as it was when it was read. An unknown name costs as much time as a wrong password. Any
 * thread.
 */
final class FileUsers implements Authenticator {
    private static final String SOURCE = "users:";

    private final Map<String, User> users;
    private final SlowChecks checks;
    /** What is compared for those who are not there. */
    private final PasswordHash nobody;

    FileUsers(Map<String, User> users, SlowChecks checks) {
        this.users = Map.copyOf(users);
        this.checks = checks;
        int iterations = users.values().stream()
                .map(User::hash)
                .filter(Objects::nonNull)
                .mapToInt(PasswordHash::iterations)
                .max()
                .orElse(PasswordHash.ITERATIONS);
        SecureRandom random = new SecureRandom();
        byte[] unknown = new byte[32];
        random.nextBytes(unknown);
        this.nobody = PasswordHash.of(java.util.Base64.getEncoder().encodeToString(unknown), iterations, random);
    }

    /** True if the user is here. */
    boolean knows(@Nullable String name) {
        return name != null && users.containsKey(name);
    }

    @Override
    public CompletionStage<Principal> authenticate(Login login) {
        User user = login.user() == null ? null : users.get(login.user());
        PasswordHash hash = user == null || user.hash() == null ? nobody : user.hash();
        String password = login.password() == null ? "" : login.password();
        return checks.matches(password, hash, nobody.iterations()).thenApply(matches -> {
            if (!matches || user == null || user.hash() == null) {
                throw refused();
            }
            return principal(user);
        });
    }

    /** Whoever has proved the name by a certificate. */
    Principal certified(String name) {
        User user = users.get(name);
        if (user == null) {
            throw refused();
        }
        return principal(user);
    }

    @Override
    public @Nullable Principal renew(Principal principal) {
        User user = users.get(principal.name());
        if (user == null || !principal.source().startsWith(SOURCE)) {
            return null;
        }
        Principal now = principal(user);
        // Another salt is another password: whoever has the old one is to leave.
        return now.source().equals(principal.source()) ? now : null;
    }

    private static Principal principal(User user) {
        PasswordHash hash = user.hash();
        return new Principal(
                user.name(), user.roles(), Principal.NEVER, SOURCE + (hash == null ? "" : hash.saltText()));
    }

    static BrokerException refused() {
        return new BrokerException(ErrorCode.UNAUTHENTICATED, "the user is unknown or the password is wrong");
    }
}
