package dev.turnstone.transport.mqtt.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often the broker says that it runs. */
final class AliveStampTest {
    @ParameterizedTest
    @CsvSource({"1, 10", "100, 10", "300, 30", "600, 60", "100000, 60"})
    void itIsSaidAtATenthOfTheTimeThatCounts(long shortestS, long intervalS) {
        AliveStamp stamp = AliveStamp.of(5_000, shortestS);
        assertThat(stamp.overMs()).isEqualTo(5_000 + 1_000 * intervalS);
    }

    @Test
    void onlyWhatEndsLaterCounts() {
        assertThat(AliveStamp.dueS(0, null)).isEqualTo(Long.MAX_VALUE);
        assertThat(AliveStamp.dueS(SessionRecord.NEVER, null)).isEqualTo(Long.MAX_VALUE);
        assertThat(AliveStamp.dueS(30, null)).isEqualTo(30);
    }
}
