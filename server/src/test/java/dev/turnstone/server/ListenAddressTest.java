package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ListenAddressTest {
    @ParameterizedTest
    @ValueSource(strings = {"stomp=127.0.0.1:61613", "mqtt=localhost:0", "http=[::1]:8161", "openwire=0.0.0.0:65535"})
    void isReadAndWrittenTheSame(String written) {
        assertThat(ListenAddress.parse(written)).hasToString(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "stomp",
                "stomp=",
                "stomp=61613",
                "stomp=:61613",
                "=a:1",
                "stomp=a:65536",
                "stomp=a:x",
                "stomp=::1:5",
                "STOMP=a:1"
            })
    void whatIsOfAnotherFormIsRefused(String written) {
        assertThatThrownBy(() -> ListenAddress.parse(written))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a listener is written PROTOCOL=HOST:PORT, as in stomp=127.0.0.1:61613; this is not: '"
                        + written + "'");
    }

    @Test
    void knowsWhetherOtherMachinesCanReachIt() {
        assertThat(ListenAddress.parse("stomp=127.0.0.2:1").isLoopback()).isTrue();
        assertThat(ListenAddress.parse("stomp=[::1]:1").isLoopback()).isTrue();
        assertThat(ListenAddress.parse("stomp=0.0.0.0:1").isLoopback()).isFalse();
        assertThat(ListenAddress.parse("stomp=[::]:1").isLoopback()).isFalse();
    }

    @Test
    void aHostWithoutAnAddressIsRefused() {
        assertThatThrownBy(() -> ListenAddress.parse("stomp=nowhere.invalid:1").isLoopback())
                .isInstanceOf(StartException.class)
                .hasMessage("cannot listen on stomp=nowhere.invalid:1: the host nowhere.invalid has no address");
    }
}
