package dev.turnstone.broker.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.BrokerException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class LimitsTest {
    @ParameterizedTest
    @EnumSource(Limit.class)
    void everyLimitHasAStandardWithinItsRangeAndANameOfItsOwn(Limit limit) {
        assertThat(Limits.DEFAULTS.with(limit, limit.standard()).of(limit)).isEqualTo(limit.standard());
        assertThat(Limits.knows(limit.setting())).isTrue();
        assertThat(Arrays.stream(Limit.values()).filter(other -> other.setting().equals(limit.setting())))
                .hasSize(1);
        assertThat(limit.unit()).isNotEmpty();
    }

    @Test
    void aValueIsSetByNameAndLeavesTheOthersAlone() {
        Limits limits = Limits.DEFAULTS.with("tx.maxSends", " 7 ");
        assertThat(limits.of(Limit.TX_SENDS_MAX)).isEqualTo(7);
        assertThat(limits.of("tx.maxSends")).isEqualTo(7);
        assertThat(limits.of(Limit.TX_BYTES_MAX)).isEqualTo(Limit.TX_BYTES_MAX.standard());
        assertThat(Limits.DEFAULTS.of(Limit.TX_SENDS_MAX)).isEqualTo(Limit.TX_SENDS_MAX.standard());
    }

    @ParameterizedTest
    @CsvSource({"tx.maxSends,0,not between", "tx.maxSends,many,not a whole number", "tx.most,5,known are"})
    void aWrongNameOrValueIsRefusedInWords(String setting, String value, String said) {
        assertThatThrownBy(() -> Limits.DEFAULTS.with(setting, value))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining(setting)
                .hasMessageContaining(said);
    }
}
