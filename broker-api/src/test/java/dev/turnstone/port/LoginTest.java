package dev.turnstone.port;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LoginTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "vm",
                "127.0.0.1:40404",
                "127.9.8.7:1",
                "[::1]:40404",
                "0:0:0:0:0:0:0:1:40404",
                "[0:0:0:0:0:0:0:1%lo]:40404",
                "[0:0:0:0:0:0:0:1%0]:40404"
            })
    void whoComesFromThisMachineIsKnown(String remote) {
        assertThat(from(remote).isLoopback()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1:40404",
                "127.0.0.1.example.org:80",
                "1127.0.0.1:80",
                "[::2]:40404",
                "[fe80::1]:1",
                "1::1:40404",
                "[0:0:0:0:0:0:1:1]:40404",
                "vm.example.org:1",
                "localhost:80",
                ""
            })
    void whoComesFromElsewhereIsToo(String remote) {
        assertThat(from(remote).isLoopback()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = "s3cret")
    void nobodyReadsThePasswordInALog(String password) {
        assertThat(new Login("alice", password, "c1", "stomp", "vm", "CN=alice"))
                .asString()
                .contains("alice", "c1", "stomp", "vm", "CN=alice")
                .doesNotContain(password);
    }

    private static Login from(String remote) {
        return new Login(null, null, null, "test", remote);
    }
}
