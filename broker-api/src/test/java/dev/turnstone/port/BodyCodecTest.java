package dev.turnstone.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class BodyCodecTest {
    private static final List<Object> VALUES = Arrays.asList(
            null, true, (byte) -1, (short) -2, 'ü', -3, -4L, 5.5f, 6.5d, "seven – 😀", "", new byte[] {8}, new byte[0]);

    @Test
    void everyTypeComesBackFromAStream() {
        assertThat(BodyCodec.decodeStream(BodyCodec.encodeStream(VALUES)))
                .usingRecursiveComparison()
                .isEqualTo(VALUES);
        assertThat(BodyCodec.decodeStream(ByteBuffer.allocate(0))).isEmpty();
    }

    @Test
    void everyTypeComesBackFromAMapInItsOrder() {
        Map<String, Object> items = new LinkedHashMap<>();
        VALUES.forEach(value -> items.put("name " + items.size() + " ü", value));
        Map<String, Object> decoded = BodyCodec.decodeMap(BodyCodec.encodeMap(items));
        assertThat(decoded.keySet()).containsExactlyElementsOf(items.keySet());
        assertThat(new ArrayList<>(decoded.values())).usingRecursiveComparison().isEqualTo(VALUES);
    }

    @Test
    void theEncodedFormNeverChanges() {
        ByteBuffer stream = BodyCodec.encodeStream(VALUES);
        assertThat(hex(stream))
                .isEqualTo("00" + "0101" + "02ff" + "03fffe" + "0900fc" + "04fffffffd" + "05fffffffffffffffc"
                        + "0640b00000" + "07401a000000000000" + "080000000e736576656e20e2809320f09f9880" + "0800000000"
                        + "0a0000000108" + "0a00000000");
        ByteBuffer map = BodyCodec.encodeMap(Map.of("ab", 1));
        assertThat(hex(map)).isEqualTo("000000026162" + "0400000001");
    }

    @Test
    void valuesOfOtherClassesAreRefused() {
        assertRefused(() -> BodyCodec.encodeStream(List.of(List.of())));
        assertRefused(() -> BodyCodec.encodeMap(Map.of("a", new int[1])));
    }

    @Property
    void whatIsNoBodyIsRefusedAndNothingElseHappens(@ForAll @Size(max = 40) byte[] bytes) {
        for (ThrowingCallable decoding : List.<ThrowingCallable>of(
                () -> BodyCodec.decodeStream(ByteBuffer.wrap(bytes)),
                () -> BodyCodec.decodeMap(ByteBuffer.wrap(bytes)))) {
            try {
                decoding.call();
            } catch (Throwable refused) {
                assertThat(refused).isInstanceOf(BrokerException.class);
            }
        }
    }

    private static String hex(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatExceptionOfType(BrokerException.class)
                .isThrownBy(call)
                .extracting(BrokerException::code)
                .isEqualTo(ErrorCode.INVALID_MESSAGE);
    }
}
