package dev.turnstone.broker.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Address;
import dev.turnstone.port.DedupId;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class FingerprintSetTest {
    @Test
    void itHoldsWhatASetHoldsAndSaysHowItGrows() {
        FingerprintSet set = new FingerprintSet();
        Set<Fingerprint> model = new HashSet<>();
        SplittableRandom random = new SplittableRandom(3);
        long bytes = 0;
        for (int i = 0; i < 100_000; i++) {
            Fingerprint print = new Fingerprint(random.nextLong(), random.nextInt(10));
            if (i % 2 == 0) {
                bytes += set.add(print);
                bytes += set.add(print);
                model.add(print);
            }
            assertThat(set.contains(print)).isEqualTo(model.contains(print));
        }
        assertThat(set.size()).isEqualTo(model.size());
        assertThat(bytes / model.size()).isBetween(16L, 46L);
        assertThat(model).allMatch(set::contains);
    }

    @Test
    void aFingerprintOfZerosIsOneToo() {
        FingerprintSet set = new FingerprintSet();
        Fingerprint zero = new Fingerprint(0, 0);
        assertThat(set.contains(zero)).isFalse();
        set.add(zero);
        assertThat(set.contains(zero)).isTrue();
    }

    @Test
    void whatDiffersHasAnotherFingerprint() {
        Fingerprints prints = new Fingerprints();
        Set<Object> all = new HashSet<>();
        for (Address address : new Address[] {Address.queue("a"), Address.topic("a"), Address.queue("ab")}) {
            for (String id : new String[] {"1", "b1", "2"}) {
                all.add(prints.of(address, DedupId.of(id)).of());
                all.add(prints.of(address, new DedupId.Sequence(id, 1)).of());
            }
        }
        all.add(prints.ofCommit("1"));
        all.add(prints.ofCommit("1").opposite());
        assertThat(all).hasSize(20);
        assertThat(prints.of(Address.queue("a"), DedupId.of("1")))
                .isEqualTo(new Fingerprints().of(Address.queue("a"), DedupId.of("1")));
    }
}
