package dev.turnstone.server;

import dev.turnstone.server.security.PasswordSettings;
import dev.turnstone.server.security.Permission;
import dev.turnstone.server.security.SecuritySettings;
import dev.turnstone.server.security.ThrottleSettings;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
    private static final String DELAYED_PER_ADDRESS_MAX = "security.throttle.delayedPerAddressMax";

    private static final Set<String> OWN = Set.of(
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
            WAITING_PER_ADDRESS_MAX,
            DELAYED_PER_ADDRESS_MAX);

    /** All settings here, those of a list's elements without the index. */
    static final Set<String> KNOWN = known();

    /** Those that take several values. */
    static final Set<String> LISTS = Set.of(ANONYMOUS, PERMISSIONS + ROLE, PERMISSIONS + ALLOW);

    private static final Pattern PERMISSION = Pattern.compile("security\\.permissions(\\[\\d+])?.*");

    private final WrittenSettings written;

    private SecuritySection(WrittenSettings written) {
        this.written = written;
    }

    private static Set<String> known() {
        Set<String> known = new TreeSet<>(OWN);
        known.addAll(UserSources.KNOWN);
        return known;
    }

    /**
     * Reads them from all that the file holds, by name.
     *
     * @throws StartException if a value is wrong
     */
    static SecuritySettings read(Path file, Map<String, String> values) {
        return new SecuritySection(new WrittenSettings(file, values)).settings();
    }

    private SecuritySettings settings() {
        List<String> anonymous = written.list(ANONYMOUS);
        return new SecuritySettings(
                written.value(USERS, Path::of).orElse(null),
                UserSources.jwt(written),
                UserSources.ldap(written),
                anonymous == null ? null : new LinkedHashSet<>(anonymous),
                permissions(),
                written.value(AUDIT, Path::of).orElse(null),
                passwords(PasswordSettings.DEFAULTS),
                throttle(ThrottleSettings.DEFAULTS));
    }

    private PasswordSettings passwords(PasswordSettings defaults) {
        return new PasswordSettings(
                written.number(
                        ITERATIONS,
                        defaults.iterations(),
                        PasswordSettings.ITERATIONS_MIN,
                        PasswordSettings.ITERATIONS_MAX),
                written.number(REMEMBERED_MAX, defaults.rememberedMax(), 0, 10_000_000));
    }

    private ThrottleSettings throttle(ThrottleSettings defaults) {
        return new ThrottleSettings(
                written.number(USER_FAILURES_FREE, defaults.userFailuresFree(), 0, 1_000_000),
                written.number(ADDRESS_FAILURES_FREE, defaults.addressFailuresFree(), 0, 1_000_000),
                written.number(DELAY_MAX_MS, defaults.delayMaxMs(), 0, 60_000),
                written.number(FORGET_AFTER_MS, defaults.forgetAfterMs(), 1_000, Integer.MAX_VALUE),
                written.number(ENTRIES_MAX, defaults.entriesMax(), 1, 10_000_000),
                written.number(WAITING_PER_ADDRESS_MAX, defaults.waitingPerAddressMax(), 1, 1_000_000),
                written.number(DELAYED_PER_ADDRESS_MAX, defaults.delayedPerAddressMax(), 1, 1_000_000));
    }

    private @Nullable List<Permission> permissions() {
        Set<String> places = new TreeSet<>(
                java.util.Comparator.comparingInt(String::length).thenComparing(java.util.Comparator.naturalOrder()));
        for (String name : written.names()) {
            Matcher permission = PERMISSION.matcher(name);
            if (permission.matches()) {
                if (permission.group(1) == null) {
                    throw written.refusal(
                            PERMISSIONS
                                    + " is a list: each permission starts with '- ', and has role, address and allow",
                            null);
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
        List<String> roles = written.requiredList(place + ROLE);
        String address = String.join(",", written.requiredList(place + ADDRESS));
        List<String> actions = written.requiredList(place + ALLOW);
        try {
            return Permission.of(roles, address, actions);
        } catch (IllegalArgumentException e) {
            throw written.refusal(place + ": " + e.getMessage(), e);
        }
    }
}
