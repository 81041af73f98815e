package dev.turnstone.broker.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Address;
import dev.turnstone.port.DedupId;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** What journals hold: other fingerprints than these would be no copies of what was sent before an upgrade. */
final class FingerprintsTest {
    private final Fingerprints fingerprints = new Fingerprints();

    private String of(Address address, DedupId id) {
        Fingerprint print = fingerprints.of(address, id).of();
        return HexFormat.of().toHexDigits(print.high()) + HexFormat.of().toHexDigits(print.low());
    }

    @Test
    void theyAreTheSameInEachVersionAndInAnyOrder() {
        Address queue = Address.queue("größe");
        Address topic = Address.topic("größe");
        DedupId application = DedupId.of("id");
        DedupId producer = new DedupId.Sequence("id", 7);
        for (int round = 0; round < 2; round++) {
            assertThat(of(queue, application)).isEqualTo("508ff4b044137e1c0fe462abb45186fe");
            assertThat(of(queue, producer)).isEqualTo("3764e9e6e9de1537d44b886cc1a1e8df");
            assertThat(of(topic, producer)).isEqualTo("11b347633f97e2ea34a49728d809589a");
            assertThat(of(topic, application)).isEqualTo("759aaec6b7da92017d93506731adf43f");
            assertThat(of(queue, producer)).isEqualTo("3764e9e6e9de1537d44b886cc1a1e8df");
        }
    }
}
