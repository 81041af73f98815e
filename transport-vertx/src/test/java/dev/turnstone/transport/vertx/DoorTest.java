package dev.turnstone.transport.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DoorTest {
    /** Where a port is taken, the servers of all event loops try it one after the other, with one door. */
    @Test
    void standsBeforeMoreThanOneServer() {
        Door door = new Door(new Arrivals(System::nanoTime), WireSettings.read(new ListenSettings("talk", Map.of())));
        EmbeddedChannel first = new EmbeddedChannel(door);
        EmbeddedChannel second = new EmbeddedChannel(door);
        assertThat(first.pipeline().get(Door.class)).isSameAs(door);
        assertThat(second.pipeline().get(Door.class)).isSameAs(door);
        assertThat(first.finish()).isFalse();
        assertThat(second.finish()).isFalse();
    }

    private static EmbeddedChannel from(String address) {
        return new EmbeddedChannel() {
            @Override
            protected SocketAddress remoteAddress0() {
                return new InetSocketAddress(address, 4711);
            }
        };
    }

    /** Else so many strangers that are refused would keep everybody out. */
    @ParameterizedTest
    @ValueSource(strings = {"connectionsPerAddressMax", "connectsPerSecondMax"})
    void whoIsRefusedByAddressDoesNotCount(String setting) {
        Arrivals arrivals = new Arrivals(() -> 0);
        WireSettings settings =
                WireSettings.read(new ListenSettings("talk", Map.of("connectionsMax", "2", setting, "1")));
        EmbeddedChannel server = new EmbeddedChannel(new Door(arrivals, settings));
        EmbeddedChannel first = from("192.0.2.1");
        assertThat(server.writeInbound(first)).isTrue();
        for (int i = 0; i < 5; i++) {
            server.writeInbound(from("192.0.2.1"));
        }
        assertThat(server.inboundMessages()).hasSize(1);
        assertThat(arrivals.count()).isEqualTo(1);
        assertThat(arrivals.refused()).isEqualTo(5);
        assertThat(server.writeInbound(from("192.0.2.2"))).isTrue();
        assertThat(arrivals.count()).isEqualTo(2);
        assertThat(first.close().isSuccess()).isTrue();
        first.runPendingTasks();
        assertThat(arrivals.count()).isEqualTo(1);
    }
}
