package dev.turnstone.transport.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
}
