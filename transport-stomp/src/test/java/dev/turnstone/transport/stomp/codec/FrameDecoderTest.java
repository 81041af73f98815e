package dev.turnstone.transport.stomp.codec;

import static dev.turnstone.transport.stomp.codec.Frames.decode;
import static dev.turnstone.transport.stomp.codec.Frames.decoder;
import static dev.turnstone.transport.stomp.codec.Frames.octets;
import static dev.turnstone.transport.stomp.codec.Frames.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameDecoderTest {
    private static StompException fault(Version version, String octets) {
        return catchThrowableOfType(StompException.class, () -> decode(version, octets));
    }

    @Test
    void s01_aBodyWithNulsIsReadByItsLengthAndTheNextFrameIsParsed() {
        List<Frame> frames =
                decode(Version.V1_2, "SEND\ndestination:/queue/a\ncontent-length:5\n\na^@b^@c^@ACK\nid:7\n\n^@");

        assertThat(frames).extracting(Frame::command).containsExactly(Command.SEND, Command.ACK);
        assertThat(text(frames.get(0))).isEqualTo("a\0b\0c");
        assertThat(frames.get(1).header("id")).isEqualTo("7");
    }

    @Test
    void s02_anEmptyBodyLeavesTheNextFrameWhole() {
        List<Frame> frames = decode(Version.V1_2, "SEND\ncontent-length:0\n\n^@SEND\n\n^@BEGIN\ntransaction:t\n\n^@");

        assertThat(frames).extracting(Frame::command).containsExactly(Command.SEND, Command.SEND, Command.BEGIN);
        assertThat(text(frames.get(0))).isEmpty();
        assertThat(text(frames.get(1))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "abc, content-length is not a number of bytes",
        "-5, content-length is not a number of bytes",
        "+5, content-length is not a number of bytes",
        "'', content-length is not a number of bytes",
        "'5 ', content-length is not a number of bytes",
        "2147483648, body larger than 1048576 bytes",
        "99999999999999999999999999, body larger than 1048576 bytes",
        "1048577, body larger than 1048576 bytes",
        "2, no NUL after the 2 bytes of the body that content-length says"
    })
    void s03_aBadContentLengthIsAFaultWithTheReceiptOfItsFrame(String length, String complaint) {

        StompException fault = fault(Version.V1_2, "SEND\ncontent-length:" + length + "\nreceipt:r1\n\nhello^@");

        assertThat(fault).hasMessage(complaint);
        assertThat(fault.receipt()).isEqualTo("r1");
    }

    @Test
    void s03_anAnnouncedLengthTakesNoMemoryBeforeTheBodyArrives() {
        byte[] head = octets("SEND\ncontent-length:1048576\n\nx");
        long before = allocated();
        for (int i = 0; i < 1000; i++) {
            assertThat(decode(decoder(Version.V1_2), head)).isEmpty();
        }
        assertThat(allocated() - before).isLessThan(100L << 20);
    }

    private static long allocated() {
        var threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadAllocatedBytes();
    }

    @Test
    void s04_escapesAreDecodedInNamesAndValues() {
        Frame frame =
                decode(Version.V1_2, "SEND\nk\\cey:v\\cal\\n2\\\\\\r\n\n^@").get(0);

        assertThat(frame.header("k:ey")).isEqualTo("v:al\n2\\\r");
    }

    @Test
    void s04_connectIsNotUnescaped() {
        for (String command : List.of("CONNECT", "STOMP")) {
            FrameDecoder decoder = new FrameDecoder(StompLimits.DEFAULT);
            Frame frame = decode(decoder, octets(command + "\npasscode:a\\cb\\t:c\n\n^@"))
                    .get(0);
            assertThat(frame.header("passcode")).isEqualTo("a\\cb\\t:c");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\tb", "\\", "a\\", "\\C", "\\\u00e9"})
    void s04_anUndefinedEscapeIsAFault(String value) {
        assertThat(fault(Version.V1_2, "SEND\nreceipt:9\nk:" + value + "\n\n^@"))
                .hasMessageStartingWith("undefined escape sequence")
                .extracting(StompException::receipt)
                .isEqualTo("9");
        assertThat(fault(Version.V1_1, "SEND\nk:" + value + "\n\n^@")).isNotNull();
    }

    @Test
    void s04_version11HasNoEscapeForACarriageReturn() {
        assertThat(fault(Version.V1_1, "SEND\nk:a\\rb\n\n^@"))
                .hasMessage("undefined escape sequence '\\r' in a header");
        assertThat(decode(Version.V1_1, "SEND\nk:a\\nb\r\n\n^@").get(0).header("k"))
                .isEqualTo("a\nb\r");
    }

    @Test
    void s04_version10HasNoEscapes() {
        assertThat(decode(Version.V1_0, "SEND\nk\\c:a\\rb\\t\n\n^@").get(0).header("k\\c"))
                .isEqualTo("a\\rb\\t");
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void s04_spacesBelongToNameAndValue(Version version) {
        assertThat(decode(version, "SEND\n k : v \n\n^@").get(0).header(" k ")).isEqualTo(" v ");
    }

    @Test
    void theFirstOfRepeatedHeadersCounts() {
        Frame frame = decode(Version.V1_2, "SEND\nfoo:World\nfoo:Hello\n\n^@").get(0);

        assertThat(frame.header("foo")).isEqualTo("World");
        assertThat(frame.headers().count()).isEqualTo(2);
    }

    @Test
    void s15_linesMayEndInCrLf() {
        List<Frame> frames = decode(
                Version.V1_2, "SEND\r\ndestination:/queue/a\r\n\r\nhello\r\n^@\r\n\n\r\nACK\r\nid:1\r\n\r\n^@\r\n");

        assertThat(frames).extracting(Frame::command).containsExactly(Command.SEND, Command.ACK);
        assertThat(frames.get(0).header("destination")).isEqualTo("/queue/a");
        assertThat(text(frames.get(0))).isEqualTo("hello\r\n");
    }

    @Test
    void s15_connectMayEndItsLinesInCrLfWhateverVersionItAsksFor() {
        FrameDecoder decoder = new FrameDecoder(StompLimits.DEFAULT);

        Frame frame = decode(decoder, octets("\r\nCONNECT\r\naccept-version:1.1\r\n\r\n^@"))
                .get(0);

        assertThat(frame.header("accept-version")).isEqualTo("1.1");
    }

    @Test
    void s15_aCarriageReturnInsideOfALineIsAFaultIn12() {
        assertThat(fault(Version.V1_2, "SEND\nk:a\rb\n\n^@")).hasMessage("carriage return inside of a header line");
    }

    @Test
    void s15_manyLineEndsMayStandBetweenFrames() {
        assertThat(decode(Version.V1_2, "\n\n\nBEGIN\ntransaction:1\n\n^@\n\n\n\nABORT\ntransaction:1\n\n^@\n"))
                .extracting(Frame::command)
                .containsExactly(Command.BEGIN, Command.ABORT);
    }

    @Test
    void s15_framesMayBeCutAtAnyOctet() {
        byte[] octets = octets(
                "SEND\nk\\c:\\nv\ncontent-length:5\n\na^@b^@c^@\r\n\nSEND\r\nx:\u20ac\r\n\r\nhello^@ACK\nid:1\n\n^@");
        List<String> whole = Frames.shown(decode(decoder(Version.V1_2), octets));
        for (int cut = 0; cut <= octets.length; cut++) {
            FrameDecoder decoder = decoder(Version.V1_2);
            byte[] first = java.util.Arrays.copyOfRange(octets, 0, cut);
            byte[] second = java.util.Arrays.copyOfRange(octets, cut, octets.length);
            List<Frame> frames = new java.util.ArrayList<>(decode(decoder, first));
            frames.addAll(decode(decoder, second));
            assertThat(Frames.shown(frames)).as("cut at %s", cut).isEqualTo(whole);
        }
        FrameDecoder decoder = decoder(Version.V1_2);
        List<Frame> single = new java.util.ArrayList<>();
        for (byte octet : octets) {
            single.addAll(decode(decoder, new byte[] {octet}));
        }
        assertThat(Frames.shown(single)).isEqualTo(whole);
    }

    @Test
    void s15_limitsAreCountedForEachFrame() {
        StompLimits limits = new StompLimits(20, 20, 2, 60, 10, 70, 60);
        FrameDecoder decoder = decoder(Version.V1_2, limits);
        byte[] octets = octets("SEND\naaaa:1234567890\nbbbb:1234567890\n\n0123456789^@\n");
        for (int i = 0; i < 100; i++) {
            assertThat(decode(decoder, octets)).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SENDSENDSENDSENDSENDSEND | command line larger than 20 bytes",
                "SEND\\na:12345678901234567890 | header line larger than 20 bytes",
                "SEND\\na:1\\nb:2\\nc:3\\n\\n^@ | more than 2 headers",
                "SEND\\na:1\\n\\n01234567890 | body larger than 10 bytes",
                "SEND\\na:1\\ncontent-length:11\\n\\n | body larger than 10 bytes",
                "ACK\\nid:1\\n\\nx^@ | body larger than 0 bytes",
                "ACK\\nid:1\\ncontent-length:1\\n\\nx^@ | body larger than 0 bytes"
            })
    void s15_aPartBeyondItsLimitIsAFault(String octets, String complaint) {
        StompLimits limits = new StompLimits(20, 20, 2, 60, 10, 70, 60);

        assertThatThrownBy(() -> decode(decoder(Version.V1_2, limits), octets(octets.replace("\\n", "\n"))))
                .isInstanceOf(StompException.class)
                .hasMessage(complaint);
    }

    @Test
    void s15_headAndFrameHaveLimitsOfTheirOwn() {
        StompLimits narrow = new StompLimits(20, 100, 10, 30, 100, 50, 60);
        assertThatThrownBy(() -> decode(decoder(Version.V1_2, narrow), octets("SEND\na:" + "x".repeat(40))))
                .hasMessage("frame head larger than 30 bytes");
        assertThatThrownBy(() -> decode(decoder(Version.V1_2, narrow), octets("SEND\na:1\n\n" + "x".repeat(41))))
                .hasMessage("body larger than 40 bytes");
    }

    @Test
    void s15_theBrokersOwnLimitOnBodiesCountsToo() {
        FrameDecoder decoder = new FrameDecoder(StompLimits.DEFAULT);
        decoder.connected(Version.V1_2, 10);
        assertThatThrownBy(() -> decode(decoder, octets("SEND\ncontent-length:11\n\n")))
                .hasMessage("body larger than 10 bytes");
    }

    @Test
    void s15_aStrangerMayOnlyConnectAndOnlyInFewBytes() {
        StompLimits limits = new StompLimits(32, 4096, 10, 65536, 1024, 65536, 100);
        assertThatThrownBy(() -> decode(new FrameDecoder(limits), octets("SEND\n")))
                .hasMessage("the first frame must be CONNECT or STOMP, not SEND");
        assertThatThrownBy(() -> decode(new FrameDecoder(limits), octets("CONNECT\nlogin:" + "x".repeat(100))))
                .hasMessage("frame head larger than 100 bytes");
        assertThatThrownBy(() -> decode(new FrameDecoder(limits), octets("CONNECT\nlogin:a\n\nbody")))
                .hasMessage("body larger than 0 bytes");
    }

    @ParameterizedTest
    @CsvSource({
        "'GET / HTTP/1.1\n', 'unknown command ''GET / HTTP/1.1'''",
        "'send\n', unknown command 'send'",
        "'SEND\nabc\n', header line without a colon",
        "'SEND\n:abc\n', header without a name",
        "'SEND\na:^@\n', NUL inside of a header line",
        "'SEND^@', NUL inside of a header line"
    })
    void whatIsNoFrameIsAFault(String octets, String complaint) {
        assertThat(fault(Version.V1_2, octets)).hasMessage(complaint);
    }

    @Test
    void headersThatAreNotUtf8AreAFault() {
        byte[] octets = octets("SEND\nk:v??\n\n^@");
        octets[8] = (byte) 0xC3;
        assertThatThrownBy(() -> decode(decoder(Version.V1_2), octets)).hasMessage("header line is not UTF-8");
    }

    @Test
    void aBrokenStreamIsNotReadOn() {
        FrameDecoder decoder = decoder(Version.V1_2);
        assertThatThrownBy(() -> decode(decoder, octets("FOO\nSEND\n\n^@"))).isInstanceOf(StompException.class);
        assertThatThrownBy(decoder::next).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void thePasscodeIsNotShown() {
        Frame frame = decode(new FrameDecoder(StompLimits.DEFAULT), octets("CONNECT\npasscode:secret\n\n^@"))
                .get(0);
        assertThat(frame.headers().toString()).doesNotContain("secret");
    }
}
