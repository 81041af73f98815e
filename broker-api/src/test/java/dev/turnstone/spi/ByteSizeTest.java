package dev.turnstone.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({"0,0", "1048576,1048576", "1KiB,1024", "3 MiB,3145728", "2GiB,2147483648", "1TiB,1099511627776"})
    void readsWhatPeopleWrite(String written, long bytes) {
        assertThat(ByteSize.parse(written)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "MiB", "-1", "1.5MiB", "1MB", "1 mib", "1  MiB", "9999999999999999999"})
    void refusesWhatItCannotRead(String written) {
        assertThatIllegalArgumentException().isThrownBy(() -> ByteSize.parse(written));
    }

    @Test
    void refusesMoreThanALongHolds() {
        assertThatIllegalArgumentException().isThrownBy(() -> ByteSize.parse("99999999TiB"));
    }
}
