package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Broker;
import dev.turnstone.server.config.Configuration;
import dev.turnstone.server.config.Further;
import dev.turnstone.server.config.Problem;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.ListenSetting;
import dev.turnstone.spi.Listener;
import dev.turnstone.spi.SharedResources;
import dev.turnstone.spi.TransportProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
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
        assertThat(mistake("openwire=127.0.0.1:61616", ""))
                .isEqualTo("nothing here serves the protocol 'openwire'; there is: mqtt, stomp");
    }

    @Test
    void anAddressThatOthersReachNeedsPermission() {
        assertThat(mistake("stomp=0.0.0.0:61613", ""))
                .startsWith("refusing to listen on stomp=0.0.0.0:61613: other machines could reach it");
        assertThat(mistake("stomp=0.0.0.0:61613", "insecure")).isNull();
        assertThat(mistake("stomp=0.0.0.0:61613", "security.users")).isNull();
    }

    /** What is documented is what is read: the message for a name that is none lists all that was asked for. */
    @Test
    void aProtocolTellsEverySettingThatItReads() {
        for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
            List<String> told = provider.settings().stream()
                    .map(ListenSetting::name)
                    .sorted()
                    .toList();
            assertThatThrownBy(() -> provider.check(new ListenRequest("127.0.0.1", 0, Map.of("zzz", ""))))
                    .hasMessage(provider.protocol() + " listener: unknown setting 'zzz'; known are "
                            + String.join(", ", told));
        }
    }

    @Test
    void whatNotAllProtocolsHaveSaysWhoseItIs() {
        assertThat(ListenAddress.further())
                .contains(
                        new Further(
                                "stomp.heartBeatMs",
                                "1000",
                                "`http`: how often the broker can send heart-beats and"
                                        + " would like to get them; 0: never"),
                        new Further("lingerMs", "2000", "how long a connection stays open for a last frame to be read"))
                .filteredOn(one -> one.name().equals("prefetchMax"))
                .extracting(Further::meaning)
                .containsExactlyInAnyOrder(
                        "`openwire`: prefetch of a consumer; a larger one is cut to it",
                        "`stomp`: the largest `prefetch-count`");
    }

    /** As YAML has them; without its keystore the broker would speak in the clear. */
    @Test
    void entriesOfTheEnvironmentHaveTheirSettings() {
        Configuration<Settings> read = environment(Map.of(
                "TURNSTONE_LISTEN_0__AT", "stomp=127.0.0.1:0",
                "TURNSTONE_LISTEN_0__TLS_KEYSTORE", "broker.p12",
                "TURNSTONE_LISTEN_0__HEARTBEATMS", "5",
                "TURNSTONE_LISTEN_1_", "mqtt=127.0.0.1:0"));
        assertThat(read.problems()).isEmpty();
        assertThat(read.warnings()).isEmpty();
        assertThat(SettingsOptions.checked(read).listen())
                .containsExactly(
                        new ListenAddress(
                                "stomp", "127.0.0.1", 0, Map.of("tls.keystore", "broker.p12", "heartBeatMs", "5")),
                        ListenAddress.parse("mqtt=127.0.0.1:0"));
        assertThat(environment(Map.of("TURNSTONE_LISTEN_0__TLS_KEYSTOR", "x")).problems())
                .map(Problem::toString)
                .containsExactly("TURNSTONE_LISTEN_0__TLS_KEYSTOR: no entry has such a setting; 'turnstone config docs'"
                        + " names those");
    }

    private static Configuration<Settings> environment(Map<String, String> variables) {
        return Configuration.read(Settings.class, new Configuration.Sources(null, variables, Map.of(), Map.of()));
    }

    private @Nullable String mistake(String address, String setting) {
        Map<String, Configuration.Option> options = new HashMap<>();
        if (!setting.isEmpty()) {
            options.put(setting, new Configuration.Option("true", "-D"));
        }
        return transports.mistake(ListenAddress.parse(address), settings(options));
    }

    private static Settings listening(String... written) {
        Map<String, Configuration.Option> options = new HashMap<>();
        options.put("listen", new Configuration.Option(String.join(",", written), "--listen"));
        return settings(options);
    }

    private static Settings settings(Map<String, Configuration.Option> options) {
        return SettingsOptions.checked(
                Configuration.read(Settings.class, new Configuration.Sources(null, Map.of(), Map.of(), options)));
    }

    /** A protocol that is only known by name: these tests bind nothing. */
    private record Named(String protocol, int defaultPort) implements TransportProvider {
        @Override
        public CompletionStage<Listener> listen(ListenRequest request, Broker broker, SharedResources shared) {
            return CompletableFuture.failedFuture(new AssertionError("not to be bound"));
        }
    }
}
