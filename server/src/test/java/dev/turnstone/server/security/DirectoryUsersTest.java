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
import dev.turnstone.testkit.tls.TestCertificate;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DirectoryUsersTest {
    private static final String BASE = "dc=example,dc=org";
    private static final String PEOPLE = "ou=people," + BASE;
    private static final String GROUPS = "ou=groups," + BASE;

    private final SlowChecks checks = SlowChecks.asking(Path.of("data"), "test");
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
        return users("ldap://127.0.0.1:" + directory.getListenPort(), false, groups);
    }

    private DirectoryUsers users(String url, boolean startTls, @Nullable String groups) {
        return new DirectoryUsers(
                new LdapSettings(url, startTls, "uid=%u," + PEOPLE, groups, "(member=%d)", "cn", 2_000, 60_000),
                checks,
                "carol"::equals);
    }

    private Principal login(String user, String password) {
        return users.authenticate(new Login(user, password, null, "test", "vm"))
                .toCompletableFuture()
                .join();
    }

    private void assertRefused(String message, String user, String password) {
        assertRefused(ErrorCode.UNAUTHENTICATED, message, user, password);
    }

    private void assertRefused(ErrorCode code, String message, String user, String password) {
        assertThatThrownBy(() -> login(user, password))
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(code))
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
    void oneEntryIsOneUserHoweverItsNameIsWritten() throws LDAPException, LDIFException {
        addUser("carol", "hidden");
        for (String written : List.of("ALICE", " alice ", "Alice")) {
            assertThat(login(written, "wonderland").name()).as(written).isEqualTo("alice");
        }
        assertThat(login("carol", "hidden").name()).isEqualTo("carol");
        // There is a carol in the users file, and it may be another.
        assertRefused("the user is unknown or the password is wrong", "CAROL", "hidden");
    }

    @Test
    void aNameIsPartOfWhatTheEntryIsCalled() throws LDAPException, LDIFException {
        directory.add(
                "dn: cn=App Dora (ext)," + PEOPLE, "objectClass: device", "cn: App Dora (ext)", "userPassword: p");
        users = new DirectoryUsers(
                new LdapSettings(
                        "ldap://127.0.0.1:" + directory.getListenPort(),
                        false,
                        "cn=App %u (ext)," + PEOPLE,
                        null,
                        "(member=%d)",
                        "cn",
                        2_000,
                        60_000),
                checks,
                name -> false);
        assertThat(login("dORA", "p").name()).isEqualTo("Dora");
    }

    @Test
    void aDirectoryThatDoesNotAnswerLetsNobodyIn() {
        directory.shutDown(true);
        assertRefused(ErrorCode.LIMIT_EXCEEDED, "the directory cannot check the login now", "alice", "wonderland");
    }

    /** With TLS from the start, and with TLS that begins on a plain connection. */
    @Test
    void whatIsSaidOverTlsIsSaidToADirectoryThatIsTrusted(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.create(folder, "directory.test");
        SSLServerSocketFactory serving = certificate.clientContext(certificate).getServerSocketFactory();
        SSLSocketFactory upgrading = certificate.clientContext(certificate).getSocketFactory();
        InetAddress loopback = InetAddress.getLoopbackAddress();
        directory.shutDown(true);
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(BASE);
        config.setSchema(null);
        config.setListenerConfigs(
                InMemoryListenerConfig.createLDAPSConfig("tls", loopback, 0, serving, null),
                InMemoryListenerConfig.createLDAPConfig("plain", loopback, 0, upgrading));
        directory = new InMemoryDirectoryServer(config);
        directory.add("dn: " + BASE, "objectClass: domain", "dc: example");
        directory.add("dn: " + PEOPLE, "objectClass: organizationalUnit", "ou: people");
        addUser("alice", "wonderland");
        directory.startListening();
        SSLContext before = SSLContext.getDefault();
        for (boolean startTls : new boolean[] {true, false}) {
            String place = startTls ? "ldap" : "ldaps";
            int port = directory.getListenPort(startTls ? "plain" : "tls");
            users = users(place + "://127.0.0.1:" + port, startTls, null);
            assertRefused(ErrorCode.LIMIT_EXCEEDED, "the directory cannot check the login now", "alice", "wonderland");
            SSLContext.setDefault(certificate.clientContext(null));
            try {
                assertThat(login("alice", "wonderland").name()).isEqualTo("alice");
                assertRefused("the user is unknown or the password is wrong", "alice", "looking-glass");
            } finally {
                SSLContext.setDefault(before);
            }
        }
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
        assertThat(new LdapSettings("ldap://d.example.org", true, dn, null, "(cn=%u)", "cn", 1, 1_000).startTls())
                .isTrue();
        assertThatThrownBy(() -> new LdapSettings(url, true, dn, null, "(cn=%u)", "cn", 1, 1_000))
                .hasMessageContaining("startTls is for ldap");
        for (String wrong : List.of("uid=alice,dc=x", "%u", "", "uid=%u,,")) {
            assertThatThrownBy(() -> settings(url, wrong, "(member=%d)"))
                    .as(wrong)
                    .isInstanceOf(WrongSetting.class);
        }
        assertThatThrownBy(() -> settings(url, dn, "(cn=*)")).isInstanceOf(WrongSetting.class);
        assertThat(settings(url, dn, "(cn=%u)").url()).isEqualTo(url);
    }

    private static LdapSettings settings(String url, String userDn, String groupFilter) {
        return new LdapSettings(url, false, userDn, null, groupFilter, "cn", 1, 1_000);
    }
}
