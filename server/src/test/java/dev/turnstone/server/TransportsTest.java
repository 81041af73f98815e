package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Broker;
import dev.turnstone.server.security.PasswordSettings;
import dev.turnstone.server.security.SecuritySettings;
import dev.turnstone.server.security.ThrottleSettings;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.Listener;
import dev.turnstone.spi.SharedResources;
import dev.turnstone.spi.TransportProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class TransportsTest {
    private final Transports transports = new Transports(List.of(new Named("stomp", 61_613), new Named("mqtt", 1883)));

    @Test
    void withoutListenersEveryProtocolIsServedOnLoopback() {
        assertThat(transports.addresses(Settings.DEFAULTS))
                .containsExactly(
                        ListenAddress.parse("mqtt=127.0.0.1:1883"), ListenAddress.parse("stomp=127.0.0.1:61613"));
    }

    @Test
    void namedListenersReplaceTheDefaults() {
        assertThat(transports.addresses(listening("stomp=127.0.0.1:1", "stomp=[::1]:2")))
                .containsExactly(ListenAddress.parse("stomp=127.0.0.1:1"), ListenAddress.parse("stomp=[::1]:2"));
    }

    @Test
    void aProtocolThatNothingServesIsRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> transports.addresses(listening("openwire=127.0.0.1:61616")))
                .isInstanceOf(StartException.class)
                .hasMessage("nothing here serves the protocol 'openwire'; there is: mqtt, stomp");
    }

    @Test
    void anAddressThatOthersReachNeedsPermission() {
        Settings open = listening("stomp=0.0.0.0:61613");
        assertThatThrownBy(() -> transports.addresses(open))
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith("refusing to listen on stomp=0.0.0.0:61613: other machines could reach it");
        assertThat(transports.addresses(with(open, true, SecuritySettings.NONE)))
                .isEqualTo(open.listeners());
        SecuritySettings users = new SecuritySettings(
                Path.of("users"), null, null, null, null, null, PasswordSettings.DEFAULTS, ThrottleSettings.DEFAULTS);
        assertThat(transports.addresses(with(open, false, users))).isEqualTo(open.listeners());
    }

    private static Settings with(Settings settings, boolean insecure, SecuritySettings security) {
        return new Settings(
                settings.data(),
                settings.listeners(),
                insecure,
                settings.journalProvider(),
                settings.journal(),
                settings.limits(),
                security,
                settings.addresses());
    }

    private static Settings listening(String... written) {
        return Settings.DEFAULTS.withListeners(
                List.of(written).stream().map(ListenAddress::parse).toList());
    }

    /** A protocol that is only known by name: these tests bind nothing. */
    private record Named(String protocol, int defaultPort) implements TransportProvider {
        @Override
        public CompletionStage<Listener> listen(ListenRequest request, Broker broker, SharedResources shared) {
            return CompletableFuture.failedFuture(new AssertionError("not to be bound"));
        }
    }
}
