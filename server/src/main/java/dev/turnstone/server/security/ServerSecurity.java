package dev.turnstone.server.security;

import dev.turnstone.broker.Closing;
import dev.turnstone.broker.security.Security;
import dev.turnstone.journal.thread.FolderThread;
import dev.turnstone.port.BrokerException;
import dev.turnstone.spi.AuditEvent;
import dev.turnstone.spi.AuditLog;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.AuthenticatorProvider;
import dev.turnstone.spi.Authorizer;
import dev.turnstone.spi.AuthorizerProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a broker's security of settings and files, and makes it anew when they change: the users file is looked at once
 * a second. A change that is not valid is logged and has no effect. Any thread.
 */
public final class ServerSecurity implements AutoCloseable {
    /** The audit log's name in the data folder. */
    public static final String AUDIT = "audit.log";

    private static final Logger LOG = LoggerFactory.getLogger(ServerSecurity.class);
    private static final long LOOK_MS = 1_000;
    private static final String LOGIN = "login";

    private final boolean insecure;
    private final Path auditPath;
    private final Path data;
    private final Checks checks;
    private final Plugins plugins = new Plugins();
    private final ScheduledThreadPoolExecutor watch;
    private final LongAdder refusedLogins = new LongAdder();
    private @Nullable AuditFile audit;
    private SecuritySettings settings;
    private @Nullable FileState usersState;
    private @Nullable String lastMistake;
    private Security current;

    /** Threads: whoever a slow directory or issuer knows waits for it, and nobody else does. */
    private record Checks(SlowChecks passwords, SlowChecks directory, SlowChecks issuer, LoginThrottle throttle) {
        static Checks in(Path data, SecuritySettings settings) {
            return new Checks(
                    SlowChecks.hashing(data, settings.passwords().rememberedMax()),
                    SlowChecks.asking(data, "directory"),
                    SlowChecks.asking(data, "issuer"),
                    new LoginThrottle(settings.throttle(), System::currentTimeMillis, data));
        }

        void close() {
            throttle.close();
            passwords.close();
            directory.close();
            issuer.close();
        }
    }

    /** What tells one state of a file from the next without reading it. */
    private record FileState(@Nullable Object key, long modifiedMs, long size) {
        static @Nullable FileState of(Path path) {
            try {
                BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
                return new FileState(found.fileKey(), found.lastModifiedTime().toMillis(), found.size());
            } catch (IOException e) {
                return null; // Reading it will say what is wrong.
            }
        }
    }

    /**
     * Reads what the settings name.
     *
     * @param insecure the setting {@code insecure}: who gives no name may come from other machines, too
     * @throws BrokerException INVALID_CONFIGURATION if a file cannot be used
     */
    public ServerSecurity(SecuritySettings settings, boolean insecure, Path data) {
        this.settings = settings;
        this.insecure = insecure;
        this.data = data;
        this.checks = Checks.in(data, settings);
        this.watch = new ScheduledThreadPoolExecutor(1, task -> FolderThread.of("turnstone-users", data, task));
        this.auditPath = auditPath(settings, data);
        try {
            this.audit = settings.audit() == null ? null : new AuditFile(auditPath, data);
            this.usersState = usersState(settings);
            this.current = make(settings);
        } catch (RuntimeException | Error fault) {
            throw new Closing(fault).then(this::close).fault();
        }
    }

    /** What is wrong with the files that settings name, by the name of the setting; changes nothing. */
    public static Map<String, String> mistakes(SecuritySettings settings) {
        Map<String, String> mistakes = new TreeMap<>();
        Path users = settings.users();
        if (users != null) {
            check(mistakes, "security.users", () -> new UsersFile(users).read());
        }
        JwtSettings jwt = settings.jwt();
        if (jwt != null) {
            check(mistakes, "security.jwt.keys", () -> TokenUsers.checkKeys(jwt));
        }
        ProviderSettings authenticator = settings.authenticator();
        if (authenticator != null) {
            check(
                    mistakes,
                    "security.authenticator.name",
                    () -> Plugins.named(
                            AuthenticatorProvider.class, AuthenticatorProvider::name, authenticator.name()));
        }
        ProviderSettings authorizer = settings.authorizer();
        if (authorizer != null) {
            check(
                    mistakes,
                    "security.authorizer.name",
                    () -> Plugins.named(AuthorizerProvider.class, AuthorizerProvider::name, authorizer.name()));
        }
        return mistakes;
    }

    private static void check(Map<String, String> mistakes, String name, Runnable check) {
        try {
            check.run();
        } catch (BrokerException mistake) {
            mistakes.put(name, mistake.getMessage());
        }
    }

    /** Where the audit log is. */
    public static Path auditPath(SecuritySettings settings, Path data) {
        return settings.audit() == null ? data.resolve(AUDIT) : settings.audit();
    }

    /** What holds now. */
    public synchronized Security current() {
        return current;
    }

    private Security make(SecuritySettings wanted) {
        if (insecure && (!wanted.hasUsers() || wanted.anonymous() != null)) {
            LOG.warn("'insecure: true': who does not log in may come from other machines, too");
        }
        if (wanted.isNone()) {
            plugins.choose(wanted);
            Security open = insecure ? Security.OPEN : Security.LOOPBACK;
            return new Security(open.authenticator(), open.authorizer(), log(wanted));
        }
        FileUsers users = new FileUsers(wanted.users() == null ? Map.of() : read(wanted.users()), checks.passwords());
        List<UserSource> others = others(wanted, users);
        // Last of what may be refused: from here on those before are no longer there.
        plugins.choose(wanted);
        Authenticator plugin = plugins.authenticator();
        Authenticator logins = plugin == null
                ? new Logins(users, others, wanted.anonymous(), insecure, checks.throttle())
                : new PluginLogins(plugin, checks.throttle());
        return new Security(logins, authorizer(wanted), log(wanted));
    }

    /** Counts refused logins, and writes all down as soon as there is an audit log, which stays to the end. */
    private AuditLog log(SecuritySettings wanted) {
        if (audit == null && !wanted.isNone()) {
            audit = new AuditFile(auditPath, data);
        }
        AuditLog written = audit == null ? AuditLog.NONE : audit;
        return event -> {
            if (event.what().equals(LOGIN) && event.outcome() == AuditEvent.Outcome.REFUSED) {
                refusedLogins.increment();
            }
            written.record(event);
        };
    }

    /** How many logins were refused since the start, by whatever protocol and for whatever reason. */
    public long refusedLogins() {
        return refusedLogins.sum();
    }

    /** True while the audit log cannot be written. */
    public synchronized boolean auditFailing() {
        return audit != null && audit.failing();
    }

    private Authorizer authorizer(SecuritySettings wanted) {
        Authorizer plugin = plugins.authorizer();
        if (plugin != null) {
            // Another one each time, so that the engine forgets what it remembers of it.
            return (principal, clientId, action, address) -> plugin.allows(principal, clientId, action, address);
        }
        List<Permission> permissions = wanted.permissions();
        return permissions == null ? Authorizer.ALLOW_ALL : new Permissions(permissions);
    }

    private List<UserSource> others(SecuritySettings wanted, FileUsers users) {
        List<UserSource> others = new ArrayList<>();
        if (wanted.jwt() != null) {
            others.add(new TokenUsers(wanted.jwt(), checks.issuer()));
        }
        if (wanted.ldap() != null) {
            others.add(new DirectoryUsers(wanted.ldap(), checks.directory(), users::knows));
        }
        return others;
    }

    private static Map<String, User> read(Path path) {
        UsersFile file = new UsersFile(path);
        Map<String, User> users = file.read();
        if (file.isWorldReadable()) {
            LOG.warn("{}: everybody on this machine can read the users file; 'chmod 600 {}' ends that", path, path);
        }
        return users;
    }

    /** From now on tells the broker of each change. */
    public void follow(Consumer<Security> broker) {
        ScheduledFuture<?> unused =
                watch.scheduleWithFixedDelay(() -> look(broker), LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    private synchronized void look(Consumer<Security> broker) {
        Path users = settings.users();
        if (users == null) {
            return;
        }
        FileState state = FileState.of(users);
        if (Objects.equals(state, usersState)) {
            return;
        }
        String mistake = null;
        try {
            current = make(settings);
            broker.accept(current);
            usersState = state;
            LOG.info("{}: the users have changed", users);
        } catch (BrokerException refusal) {
            mistake = refusal.getMessage();
        } catch (RuntimeException fault) {
            // This thread goes on: who is removed now must not stay for ever.
            mistake = fault.toString();
            LOG.debug("{}", users, fault);
        }
        // It is tried again each time, and said once.
        if (mistake != null && !mistake.equals(lastMistake)) {
            LOG.error("{}; the users are as they were before, until it is mended", mistake);
        }
        lastMistake = mistake;
    }

    private static @Nullable FileState usersState(SecuritySettings settings) {
        return settings.users() == null ? null : FileState.of(settings.users());
    }

    /**
     * Takes other settings over, all or nothing. What is fixed at the start (where the audit log is, limits) stays.
     *
     * @throws BrokerException INVALID_CONFIGURATION if they are not valid; nothing has changed then
     */
    public synchronized void reload(SecuritySettings other, Consumer<Security> broker) {
        FileState state = usersState(other);
        current = make(other);
        settings = other;
        usersState = state;
        broker.accept(current);
    }

    /** Ends its threads; the audit log is written. */
    @Override
    public synchronized void close() {
        Closing steps =
                new Closing().then(watch::shutdownNow).then(checks::close).then(plugins::close);
        if (audit != null) {
            steps.then(audit::close);
        }
        steps.end();
    }
}
