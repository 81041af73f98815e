package dev.turnstone.server;

import dev.turnstone.server.security.PasswordSettings;
import dev.turnstone.server.security.Permission;
import dev.turnstone.server.security.SecuritySettings;
import dev.turnstone.server.security.ThrottleSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the settings under {@code security}. Any thread. */
final class SecuritySection {
    private static final String USERS = "security.users";
    private static final String ANONYMOUS = "security.anonymous";
    private static final String AUDIT = "security.audit";
    private static final String PERMISSIONS = "security.permissions";
    private static final String ROLE = ".role";
    private static final String ADDRESS = ".address";
    private static final String ALLOW = ".allow";
    private static final String ITERATIONS = "security.passwords.iterations";
    private static final String REMEMBERED_MAX = "security.passwords.rememberedMax";
    private static final String USER_FAILURES_FREE = "security.throttle.userFailuresFree";
    private static final String ADDRESS_FAILURES_FREE = "security.throttle.addressFailuresFree";
    private static final String DELAY_MAX_MS = "security.throttle.delayMaxMs";
    private static final String FORGET_AFTER_MS = "security.throttle.forgetAfterMs";
    private static final String ENTRIES_MAX = "security.throttle.entriesMax";
    private static final String WAITING_PER_ADDRESS_MAX = "security.throttle.waitingPerAddressMax";

    /** All settings here, those of a list's elements without the index. */
    static final Set<String> KNOWN = Set.of(
            USERS,
            ANONYMOUS,
            AUDIT,
            PERMISSIONS + ROLE,
            PERMISSIONS + ADDRESS,
            PERMISSIONS + ALLOW,
            ITERATIONS,
            REMEMBERED_MAX,
            USER_FAILURES_FREE,
            ADDRESS_FAILURES_FREE,
            DELAY_MAX_MS,
            FORGET_AFTER_MS,
            ENTRIES_MAX,
            WAITING_PER_ADDRESS_MAX);

    /** Those that take several values. */
    static final Set<String> LISTS = Set.of(ANONYMOUS, PERMISSIONS + ROLE, PERMISSIONS + ALLOW);

    private static final Pattern PERMISSION = Pattern.compile("security\\.permissions(\\[\\d+])?.*");

    private final Path file;
    private final Map<String, String> written;

    private SecuritySection(Path file, Map<String, String> written) {
        this.file = file;
        this.written = written;
    }

    /**
     * Reads them from all that the file holds, by name.
     *
     * @throws StartException if a value is wrong
     */
    static SecuritySettings read(Path file, Map<String, String> written) {
        return new SecuritySection(file, written).settings();
    }

    private SecuritySettings settings() {
        String users = written.get(USERS);
        String audit = written.get(AUDIT);
        List<String> anonymous = values(ANONYMOUS);
        return new SecuritySettings(
                users == null ? null : value(USERS, users, Path::of),
                anonymous == null ? null : new LinkedHashSet<>(anonymous),
                permissions(),
                audit == null ? null : value(AUDIT, audit, Path::of),
                passwords(PasswordSettings.DEFAULTS),
                throttle(ThrottleSettings.DEFAULTS));
    }

    private PasswordSettings passwords(PasswordSettings defaults) {
        return new PasswordSettings(
                number(
                        ITERATIONS,
                        defaults.iterations(),
                        PasswordSettings.ITERATIONS_MIN,
                        PasswordSettings.ITERATIONS_MAX),
                number(REMEMBERED_MAX, defaults.rememberedMax(), 0, 10_000_000));
    }

    private ThrottleSettings throttle(ThrottleSettings defaults) {
        return new ThrottleSettings(
                number(USER_FAILURES_FREE, defaults.userFailuresFree(), 0, 1_000_000),
                number(ADDRESS_FAILURES_FREE, defaults.addressFailuresFree(), 0, 1_000_000),
                number(DELAY_MAX_MS, defaults.delayMaxMs(), 0, 60_000),
                number(FORGET_AFTER_MS, defaults.forgetAfterMs(), 1_000, Integer.MAX_VALUE),
                number(ENTRIES_MAX, defaults.entriesMax(), 1, 10_000_000),
                number(WAITING_PER_ADDRESS_MAX, defaults.waitingPerAddressMax(), 1, 1_000_000));
    }

    private @Nullable List<Permission> permissions() {
        Set<String> places = new TreeSet<>(
                java.util.Comparator.comparingInt(String::length).thenComparing(java.util.Comparator.naturalOrder()));
        for (String name : written.keySet()) {
            Matcher permission = PERMISSION.matcher(name);
            if (permission.matches()) {
                if (permission.group(1) == null) {
                    throw new StartException(file + ": " + PERMISSIONS
                            + " is a list: each permission starts with '- ', and has role, address and allow");
                }
                places.add(PERMISSIONS + permission.group(1));
            }
        }
        if (places.isEmpty()) {
            return null;
        }
        return places.stream().map(this::permission).toList();
    }

    private Permission permission(String place) {
        List<String> roles = required(place + ROLE);
        String address = String.join(",", required(place + ADDRESS));
        List<String> actions = required(place + ALLOW);
        try {
            return Permission.of(roles, address, actions);
        } catch (IllegalArgumentException e) {
            throw new StartException(file + ": " + place + ": " + e.getMessage(), e);
        }
    }

    private List<String> required(String name) {
        List<String> values = values(name);
        if (values == null || values.isEmpty()) {
            throw new StartException(file + ": " + name + " is missing");
        }
        return values;
    }

    /** The values of a list, or those of one text with commas between them; null if there is neither. */
    private @Nullable List<String> values(String name) {
        String one = written.get(name);
        if (one != null) {
            return Arrays.stream(one.split(",", -1))
                    .map(String::strip)
                    .filter(value -> !value.isEmpty())
                    .toList();
        }
        List<String> values = new ArrayList<>();
        for (String next = written.get(name + "[0]");
                next != null;
                next = written.get(name + "[" + values.size() + "]")) {
            values.add(next.strip());
        }
        return values.isEmpty() ? null : values;
    }

    private int number(String name, int absent, int least, int most) {
        String text = written.get(name);
        if (text == null) {
            return absent;
        }
        return value(name, text, number -> {
            try {
                int parsed = Integer.parseInt(number);
                if (parsed >= least && parsed <= most) {
                    return parsed;
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("not a whole number", e);
            }
            throw new IllegalArgumentException("not between " + least + " and " + most);
        });
    }

    private <T> T value(String name, String text, Function<String, T> read) {
        try {
            return read.apply(text);
        } catch (IllegalArgumentException e) {
            throw new StartException(file + ": " + name + ": '" + text + "': " + e.getMessage(), e);
        }
    }
}
