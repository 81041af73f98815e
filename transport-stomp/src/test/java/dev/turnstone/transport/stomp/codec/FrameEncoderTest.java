package dev.turnstone.transport.stomp.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameEncoderTest {
    private static String encoded(Version version, String name, String value) {
        byte[] octets = Frames.encode(version, Command.RECEIPT, Map.of(name, value), new byte[0]);
        return new String(octets, StandardCharsets.UTF_8);
    }

    @Test
    void s04_headersAreEscapedAsTheVersionHasIt() {
        assertThat(encoded(Version.V1_2, "a:b", "c\nd\re\\f")).isEqualTo("RECEIPT\na\\cb:c\\nd\\re\\\\f\n\n\0");
        assertThat(encoded(Version.V1_1, "a:b", "c\nd\re\\f")).isEqualTo("RECEIPT\na\\cb:c\\nd\re\\\\f\n\n\0");
        assertThat(encoded(Version.V1_0, "a", "c:d\\f")).isEqualTo("RECEIPT\na:c:d\\f\n\n\0");
    }

    @ParameterizedTest
    @CsvSource({
        "V1_0, 'a\nb', v",
        "V1_0, a:b, v",
        "V1_0, a, 'v\nMESSAGE'",
        "V1_0, a, 'v\r'",
        "V1_0, '', v",
        "V1_2, '', v"
    })
    void s11_aHeaderThatCannotBeWrittenIsLeftOutWhole(Version version, String name, String value) {
        assertThat(encoded(version, name, value)).isEqualTo("RECEIPT\n\n\0");
    }

    @Test
    void s11_aNulInAHeaderNeverReachesTheWire() {
        for (Version version : Version.values()) {
            assertThat(encoded(version, "a", "x\0y")).isEqualTo("RECEIPT\n\n\0");
            assertThat(encoded(version, "a\0", "x")).isEqualTo("RECEIPT\n\n\0");
        }
    }

    @Test
    void connectedIsNotEscaped() {
        byte[] octets = Frames.encode(Version.V1_2, Command.CONNECTED, Map.of("session", "a:b\\"), new byte[0]);
        assertThat(new String(octets, StandardCharsets.UTF_8)).isEqualTo("CONNECTED\nsession:a:b\\\n\n\0");
    }

    @ParameterizedTest
    @CsvSource({"\u00e9", "\u20ac", "\uD83D\uDE00", "a\uD83D\uDE00b\uFFFF"})
    void s19_everyCodePointIsWrittenInUtf8(String text) {
        byte[] octets = Frames.encode(Version.V1_2, Command.RECEIPT, Map.of("a", text), new byte[0]);
        assertThat(octets).isEqualTo(("RECEIPT\na:" + text + "\n\n\0").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void halfOfASurrogatePairBecomesAQuestionMark() {
        assertThat(encoded(Version.V1_2, "a", "x\uD83Dy")).isEqualTo("RECEIPT\na:x?y\n\n\0");
        assertThat(encoded(Version.V1_2, "a", "\uDE00")).isEqualTo("RECEIPT\na:?\n\n\0");
    }

    @Test
    void whatIsTakenIsNotTouchedAgain() {
        FrameEncoder encoder = new FrameEncoder();
        encoder.begin(Command.RECEIPT);
        encoder.end();
        byte[] first = Frames.taken(encoder);
        assertThat(encoder.size()).isZero();
        encoder.beat();
        assertThat(Frames.taken(encoder)).containsExactly('\n');
        assertThat(first).isEqualTo("RECEIPT\n\n\0".getBytes(StandardCharsets.UTF_8));
    }
}
