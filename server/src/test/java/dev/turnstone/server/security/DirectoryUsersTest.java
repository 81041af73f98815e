package dev.turnstone.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldif.LDIFException;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.server.config.WrongSetting;
import dev.turnstone.spi.Principal;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DirectoryUsersTest {
    private static final String BASE = "dc=example,dc=org";
    private static final String PEOPLE = "ou=people," + BASE;
    private static final String GROUPS = "ou=groups," + BASE;

    private final SlowChecks checks = new SlowChecks(0);
    private InMemoryDirectoryServer directory;
    private DirectoryUsers users;

    @BeforeEach
    void fill() throws LDAPException, LDIFException {
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(BASE);
        config.setListenerConfigs(
                new InMemoryListenerConfig("test", InetAddress.getLoopbackAddress(), 0, null, null, null));
        config.setSchema(null);
        directory = new InMemoryDirectoryServer(config);
        directory.add("dn: " + BASE, "objectClass: domain", "dc: example");
        directory.add("dn: " + PEOPLE, "objectClass: organizationalUnit", "ou: people");
        directory.add("dn: " + GROUPS, "objectClass: organizationalUnit", "ou: groups");
        addUser("alice", "wonderland");
        addUser("o\\, brien", "with a comma");
        addGroup("clerks", "alice");
        addGroup("night shift", "alice");
        addGroup("admins", "bob");
        directory.startListening();
        users = users(GROUPS);
    }

    private void addUser(String name, String password) throws LDAPException, LDIFException {
        directory.add(
                "dn: uid=" + name + "," + PEOPLE,
                "objectClass: account",
                "uid: " + name.replace("\\", ""),
                "userPassword: " + password);
    }

    private void addGroup(String name, String member) throws LDAPException, LDIFException {
        directory.add(
                "dn: cn=" + name + "," + GROUPS,
                "objectClass: groupOfNames",
                "cn: " + name,
                "member: uid=" + member + "," + PEOPLE);
    }

    @AfterEach
    void close() {
        directory.shutDown(true);
        checks.close();
    }

    private DirectoryUsers users(@Nullable String groups) {
        return new DirectoryUsers(
                new LdapSettings(
                        "ldap://127.0.0.1:" + directory.getListenPort(),
                        "uid=%u," + PEOPLE,
                        groups,
                        "(member=%d)",
                        "cn",
                        2_000,
                        60_000),
                checks);
    }

    private Principal login(String user, String password) {
        return users.authenticate(new Login(user, password, null, "test", "vm"))
                .toCompletableFuture()
                .join();
    }

    private void assertRefused(String message, String user, String password) {
        assertThatThrownBy(() -> login(user, password))
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED))
                .hasMessageStartingWith(message);
    }

    @Test
    void whoCanBindGetsTheGroupsAsRoles() {
        long before = System.currentTimeMillis();
        Principal alice = login("alice", "wonderland");
        assertThat(alice.name()).isEqualTo("alice");
        assertThat(alice.roles()).containsExactlyInAnyOrder("clerks", "night shift");
        assertThat(alice.expiresAtMs()).isBetween(before + 60_000, System.currentTimeMillis() + 60_000);
        assertThat(users.renew(alice)).isEqualTo(alice);
        users = users(null);
        assertThat(login("alice", "wonderland").roles()).isEmpty();
    }

    @Test
    void aWrongPasswordAnUnknownUserAndNoPasswordAreRefusedAlike() {
        String message = "the user is unknown or the password is wrong";
        assertRefused(message, "alice", "looking-glass");
        assertRefused(message, "mallory", "wonderland");
        assertRefused(message, "alice", "");
        assertRefused(message, "", "wonderland");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alice,ou=people,dc=example,dc=org",
                "alice)(uid=*",
                "*",
                "alice\u0000",
                "alice+cn=x",
                "bob)(objectClass=*))(|(cn=*"
            })
    void aNameIsNeverMoreThanAName(String name) {
        assertRefused("the user is unknown or the password is wrong", name, "wonderland");
    }

    @Test
    void aNameWithACommaIsFound() {
        assertThat(login("o, brien", "with a comma").roles()).isEmpty();
    }

    @Test
    void aDirectoryThatDoesNotAnswerLetsNobodyIn() {
        directory.shutDown(true);
        assertRefused("the directory cannot check the login now", "alice", "wonderland");
    }

    @Test
    void takesThoseThatTheUsersFileDoesNotKnow() {
        Login alice = new Login("alice", "x", null, "test", "vm");
        assertThat(users.claims(alice, false)).isTrue();
        assertThat(users.claims(alice, true)).isFalse();
        assertThat(users.claims(new Login(null, "x", null, "test", "vm"), false))
                .isFalse();
    }

    @Test
    void settingsThatWouldShowPasswordsOrMeanEverybodyAreRefused() {
        String url = "ldaps://directory.example.org:636";
        String dn = "uid=%u,dc=x";
        for (String wrong : List.of("ldap://directory.example.org", "http://x", "ldaps:", "directory")) {
            assertThatThrownBy(() -> settings(wrong, dn, "(member=%d)"))
                    .as(wrong)
                    .isInstanceOf(WrongSetting.class);
        }
        for (String wrong : List.of("uid=alice,dc=x", "%u", "", "uid=%u,,")) {
            assertThatThrownBy(() -> settings(url, wrong, "(member=%d)"))
                    .as(wrong)
                    .isInstanceOf(WrongSetting.class);
        }
        assertThatThrownBy(() -> settings(url, dn, "(cn=*)")).isInstanceOf(WrongSetting.class);
        assertThat(settings(url, dn, "(cn=%u)").url()).isEqualTo(url);
    }

    private static LdapSettings settings(String url, String userDn, String groupFilter) {
        return new LdapSettings(url, userDn, null, groupFilter, "cn", 1, 1_000);
    }
}
