package dev.turnstone.transport.stomp.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionTest {
    @ParameterizedTest
    @CsvSource({
        "1.2, V1_2",
        "'1.0,1.1,1.2', V1_2",
        "'1.0,1.1,2.0', V1_1",
        "'1.2, 1.1', V1_2",
        "1.0, V1_0",
        "'1.1,', V1_1"
    })
    void theHighestCommonVersionIsTaken(String offered, Version agreed) {
        assertThat(Version.negotiate(offered)).isEqualTo(agreed);
    }

    @Test
    void withoutAHeaderTheClientHas10() {
        assertThat(Version.negotiate(null)).isEqualTo(Version.V1_0);
    }

    @ParameterizedTest
    @CsvSource({"2.0", "''", "1.20", "x"})
    void withoutACommonVersionThereIsNone(String offered) {
        assertThat(Version.negotiate(offered)).isNull();
    }
}
