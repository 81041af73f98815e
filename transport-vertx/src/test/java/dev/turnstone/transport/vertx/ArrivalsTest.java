package dev.turnstone.transport.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ArrivalsTest {
    private static final long SECOND = 1_000_000_000;

    private final AtomicLong nanos = new AtomicLong(-5 * SECOND);
    private final Arrivals arrivals = new Arrivals(nanos::get);

    private static WireSettings limits(String name, String value) {
        return WireSettings.read(new ListenSettings("talk", Map.of(name, value)));
    }

    private void leave(String address) {
        new EmbeddedChannel().close().addListener(arrivals.leaving(address)).syncUninterruptibly();
    }

    @Test
    void allConnectionsOfAnAddressShareWhatHearsOfTheirEnd() {
        WireSettings usual = WireSettings.read(new ListenSettings("talk", Map.of()));
        assertThat(arrivals.enter("a", usual)).isNull();
        ChannelFutureListener first = arrivals.leaving("a");
        assertThat(arrivals.enter("a", usual)).isNull();
        assertThat(arrivals.leaving("a")).isSameAs(first);
    }

    @Test
    void onlySoManyAreConnectedInAll() {
        WireSettings two = limits("connectionsMax", "2");
        assertThat(arrivals.enter(two)).isNull();
        assertThat(arrivals.enter(two)).isNull();
        assertThat(arrivals.enter(two)).isEqualTo("connectionsMax");
        assertThat(arrivals.enter(limits("connectionsMax", "3"))).isNull();
        arrivals.leave();
        arrivals.leave();
        assertThat(arrivals.enter(two)).isNull();
    }

    @Test
    void onlySoManyAreConnectedFromOneAddress() {
        WireSettings two = limits("connectionsPerAddressMax", "2");
        assertThat(arrivals.enter("a", two)).isNull();
        assertThat(arrivals.enter("a", two)).isNull();
        assertThat(arrivals.enter("a", two)).isEqualTo("connectionsPerAddressMax");
        assertThat(arrivals.enter("b", two)).isNull();
        leave("a");
        assertThat(arrivals.enter("a", two)).isNull();
    }

    @Test
    void ofIpv6ANetworkOf64BitsCountsAsOne() {
        assertThat(PeerAddress.network("2001:db8:0:1::5")).isEqualTo("2001:db8:0:1::/64");
        assertThat(PeerAddress.network("[2001:DB8:0:1:ffff:0:0:9]")).isEqualTo("2001:db8:0:1::/64");
        assertThat(PeerAddress.network("2001:db8:0:2::5")).isEqualTo("2001:db8:0:2::/64");
        assertThat(PeerAddress.network("fe80::1%eth0")).isEqualTo("fe80::/64");
        assertThat(PeerAddress.network("192.0.2.7")).isEqualTo("192.0.2.7");
        assertThat(PeerAddress.network("::ffff:192.0.2.7")).isEqualTo("192.0.2.7");
        assertThat(PeerAddress.network("a host")).isEqualTo("a host");
    }

    @Test
    void anAddressConnectsOnlySoOftenInASecond() {
        WireSettings two = limits("connectsPerSecondMax", "2");
        for (int second = 0; second < 3; second++) {
            for (int time = 0; time < 2; time++) {
                assertThat(arrivals.enter("a", two)).isNull();
                leave("a");
            }
            assertThat(arrivals.enter("a", two)).isEqualTo("connectsPerSecondMax");
            assertThat(arrivals.enter("b", two)).isNull();
            nanos.addAndGet(SECOND);
        }
    }

    @Test
    void aFleetOfFiveThousandBehindOneAddressComesBackAtOnce() {
        WireSettings usual = WireSettings.read(new ListenSettings("talk", Map.of()));
        for (int device = 0; device < 5_000; device++) {
            assertThat(arrivals.enter("nat", usual)).isNull();
        }
        assertThat(arrivals.enter("nat", usual)).isEqualTo("connectsPerSecondMax");
    }
}
