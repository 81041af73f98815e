package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.server.config.Configuration;
import dev.turnstone.server.config.Problem;
import dev.turnstone.server.security.JwtSettings;
import dev.turnstone.server.security.LdapSettings;
import dev.turnstone.server.security.PasswordSettings;
import dev.turnstone.server.security.Permission;
import dev.turnstone.server.security.SecuritySettings;
import dev.turnstone.server.security.ThrottleSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SecuritySectionTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("turnstone.yaml");
    }

    private Configuration<Settings> configuration(String yaml) throws IOException {
        Files.writeString(file, yaml);
        return Configuration.read(Settings.class, new Configuration.Sources(file, Map.of(), Map.of(), Map.of()));
    }

    private SecuritySettings read(String yaml) throws IOException {
        return SettingsOptions.checked(configuration(yaml)).security();
    }

    @Test
    void everySettingIsRead() throws IOException {
        SecuritySettings settings = read("""
                security:
                  users: /etc/turnstone/users
                  anonymous: [guests, visitors]
                  audit: /var/log/turnstone/audit.log
                  passwords:
                    iterations: 5000
                    rememberedMax: 7
                  throttle:
                    userFailuresFree: 1
                    addressFailuresFree: 2
                    delayMaxMs: 3000
                    forgetAfterMs: 4000
                    entriesMax: 5
                    waitingPerAddressMax: 6
                    delayedPerAddressMax: 2
                """);
        assertThat(settings.users()).isEqualTo(Path.of("/etc/turnstone/users"));
        assertThat(settings.anonymous()).containsExactlyInAnyOrder("guests", "visitors");
        assertThat(settings.audit()).isEqualTo(Path.of("/var/log/turnstone/audit.log"));
        assertThat(settings.passwords()).isEqualTo(new PasswordSettings(5000, 7));
        assertThat(settings.throttle()).isEqualTo(new ThrottleSettings(1, 2, 3000, 4000, 5, 6, 2));
        assertThat(settings.permissions()).isNull();
    }

    @Test
    void permissionsAreRead() throws IOException {
        List<Permission> permissions = read("""
                security:
                  permissions:
                    - role: clerks
                      address: queue:orders.>
                      allow: [send, browse]
                    - role: [admins, operators]
                      address: ">"
                      allow: all
                    - role: "*"
                      address: "inbox.%u"
                      allow: consume, send
                """).permissions();
        assertThat(permissions).hasSize(3);
        assertThat(permissions.get(0).role()).containsExactly("clerks");
        assertThat(permissions.get(0).address()).hasToString("queue:orders.>");
        assertThat(permissions.get(0).allow()).hasToString("send, browse");
        assertThat(permissions.get(1).role()).containsExactlyInAnyOrder("admins", "operators");
        assertThat(permissions.get(1).allow()).hasToString("send, consume, browse, create, delete, manage");
        assertThat(permissions.get(2).allow()).hasToString("send, consume");
    }

    @Test
    void tokensAndADirectoryAreRead() throws IOException {
        SecuritySettings settings = read("""
                security:
                  jwt: {keys: "https://login.example.org/keys", issuer: i, audience: a, rolesClaim: x.y}
                  ldap: {url: "ldaps://d.example.org", userDn: "uid=%u,dc=x", groups: "ou=g,dc=x", timeoutMs: 9}
                """);
        assertThat(settings.jwt())
                .isEqualTo(new JwtSettings("https://login.example.org/keys", "i", "a", "sub", "x.y", 30_000));
        assertThat(settings.ldap())
                .isEqualTo(new LdapSettings(
                        "ldaps://d.example.org",
                        false,
                        "uid=%u,dc=x",
                        "ou=g,dc=x",
                        "(member=%d)",
                        "cn",
                        9,
                        86_400_000));
        assertThat(settings.hasUsers()).isTrue();
    }

    @Test
    void tenPermissionsKeepTheirOrder() throws IOException {
        StringBuilder yaml = new StringBuilder("security:\n  permissions:\n");
        for (int i = 0; i < 12; i++) {
            yaml.append("    - {role: r" + i + ", address: a" + i + ", allow: send}\n");
        }
        SecuritySettings settings = read(yaml.toString());
        for (int i = 0; i < 12; i++) {
            assertThat(settings.permissions().get(i).address()).hasToString("a" + i);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{user: x} | unknown setting 'security.user'; did you mean 'security.users'?",
                "{permissions: {role: a, address: b, allow: send}} | security.permissions is a list: each entry"
                        + " starts with '- '",
                "{permissions: [{address: b, allow: send}]} | security.permissions[0].role: is missing",
                "{permissions: [{role: a, address: b, allow: send}, {role: a, allow: send}]} |"
                        + " security.permissions[1].address: is missing",
                "{permissions: [{role: a, address: b, allow: sent}]} | security.permissions[0].allow:"
                        + " 'sent': 'sent' is no action;"
                        + " known are: send, consume, browse, create, delete, manage, and all",
                "{permissions: [{role: a, address: 'b.>.c', allow: send}]} |"
                        + " security.permissions[0].address: 'b.>.c': '>' stands for"
                        + " the rest of an address and can only be the last level",
                "{permissions: [{rule: a, address: b, allow: send}]} | unknown setting 'security.permissions.rule'; did"
                        + " you mean 'security.permissions.role'?",
                "{throttle: {delayMaxMs: 5s}} | security.throttle.delayMaxMs: '5s': not a whole number of milliseconds",
                "{throttle: {delayMaxMs: 600000}} | security.throttle.delayMaxMs: '600000': not between 0 and 60000",
                "{passwords: {iterations: 1}} | security.passwords.iterations: '1': not between 1000 and 10000000",
                "{jwt: {keys: k, issuer: i}} | security.jwt.audience: is missing",
                "{jwt: {keys: 'http://login.example.org', issuer: i, audience: a}} | security.jwt.keys:"
                        + " 'http://login.example.org': keys that come over http could be anybody's; use https or a"
                        + " file",
                "{ldap: {userDn: 'uid=%u,dc=x'}} | security.ldap.url: is missing",
                "{ldap: {url: 'ldap://d.example.org', userDn: 'uid=%u,dc=x'}} | security.ldap.url:"
                        + " 'ldap://d.example.org': passwords would travel as they are; use ldaps, or startTls",
                "{ldap: {url: 'ldaps://d', userDn: 'uid=x'}} | security.ldap.userDn: 'uid=x': without %u it is the same"
                        + " for every user",
                "{users: [a, b]} | security.users takes one value, not a list"
            })
    void aMistakeIsNamed(String section, String message) throws IOException {
        assertThat(configuration("security: " + section).problems())
                .map(Problem::toString)
                .contains(file + ":1: " + message);
    }
}
