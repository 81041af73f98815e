package dev.turnstone.server.security;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.spi.AuditEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Changes the users of a users file, and takes note of it in the audit log. A broker that uses the file takes the
 * change over by itself. Any thread; the methods block.
 */
public final class Users {
    /** The shortest password that may be set, in characters. */
    public static final int PASSWORD_CHARS_MIN = 8;

    /** The longest password that may be set, in characters. */
    public static final int PASSWORD_CHARS_MAX = 1_000;

    private static final String ADD = "user add";
    private static final String PASSWD = "user passwd";

    private final UsersFile file;
    private final Path audit;
    private final int iterations;
    private final SecureRandom random = new SecureRandom();

    /** The users in this file, whose changes are noted in that one. */
    public Users(UsersFile file, Path audit, PasswordSettings passwords) {
        this.file = file;
        this.audit = audit;
        this.iterations = passwords.iterations();
    }

    /** One line about a user: the name and the roles. */
    public record Listed(String name, List<String> roles, boolean hasPassword) {}

    /**
     * Adds a user.
     *
     * @param password null for one who logs in by certificate only
     * @throws BrokerException INVALID_CONFIGURATION if there is one of that name, or a name or the password cannot be
     */
    public void add(String name, @Nullable String password, Set<String> roles) {
        User added = new User(name, password == null ? null : hash(password), roles);
        change(ADD, name, users -> {
            absent(users, name);
            users.put(name, added);
            return users;
        });
    }

    /** Refuses what {@link #add} would refuse, the password aside. */
    public void checkNew(String name, Set<String> roles) {
        User added = new User(name, null, roles);
        if (file.exists()) {
            noted(ADD, name, () -> absent(file.read(), added.name()));
        }
    }

    /** Refuses what {@link #changePassword} would refuse, the password aside. */
    public void checkExisting(String name) {
        noted(PASSWD, name, () -> existing(file.read(), name));
    }

    /** Sets a user's password. */
    public void changePassword(String name, String password) {
        PasswordHash hash = hash(password);
        change(PASSWD, name, users -> {
            users.put(name, new User(name, hash, existing(users, name).roles()));
            return users;
        });
    }

    /** Gives a user other roles. */
    public void changeRoles(String name, Set<String> roles) {
        change("user roles", name, users -> {
            users.put(name, new User(name, existing(users, name).hash(), roles));
            return users;
        });
    }

    /** Removes a user. */
    public void remove(String name) {
        change("user remove", name, users -> {
            users.remove(existing(users, name).name());
            return users;
        });
    }

    /** All users, by name. */
    public List<Listed> list() {
        List<Listed> listed = new ArrayList<>();
        file.read()
                .values()
                .forEach(user -> listed.add(
                        new Listed(user.name(), List.copyOf(new TreeSet<>(user.roles())), user.hash() != null)));
        return listed;
    }

    /** Refuses a password that is too short or too long. */
    public static void checkPassword(String password) {
        if (password.length() < PASSWORD_CHARS_MIN || password.length() > PASSWORD_CHARS_MAX) {
            throw refusal("a password has " + PASSWORD_CHARS_MIN + " to " + PASSWORD_CHARS_MAX + " characters");
        }
    }

    private PasswordHash hash(String password) {
        checkPassword(password);
        return PasswordHash.of(password, iterations, random);
    }

    private void change(String what, String name, UnaryOperator<Map<String, User>> change) {
        noted(what, name, () -> file.change(change));
        note(what, name, AuditEvent.Outcome.DONE, null);
    }

    private void noted(String what, String name, Runnable refusing) {
        try {
            refusing.run();
        } catch (BrokerException refusal) {
            note(what, name, AuditEvent.Outcome.REFUSED, refusal.getMessage());
            throw refusal;
        }
    }

    private void note(String what, String name, AuditEvent.Outcome outcome, @Nullable String reason) {
        String operator = System.getProperty("user.name", "-");
        try {
            AuditFile.append(audit, new AuditEvent(operator, "local", "cli", null, what, name, outcome, reason));
        } catch (IOException e) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION, audit + ": the audit log cannot be written: " + e, e);
        }
    }

    private static void absent(Map<String, User> users, String name) {
        if (users.containsKey(name)) {
            throw refusal("there is a user '" + name + "' already");
        }
    }

    private static User existing(Map<String, User> users, String name) {
        User user = users.get(name);
        if (user == null) {
            throw refusal("there is no user '" + name + "'");
        }
        return user;
    }

    private static BrokerException refusal(String message) {
        return new BrokerException(ErrorCode.INVALID_CONFIGURATION, message);
    }
}
