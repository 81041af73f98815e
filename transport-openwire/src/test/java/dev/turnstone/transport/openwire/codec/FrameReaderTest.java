package dev.turnstone.transport.openwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.activemq.util.ByteSequence;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameReaderTest {
    private final FrameReader reader = new FrameReader(10_000);

    private static byte[] frame(byte[] content) {
        return ByteBuffer.allocate(4 + content.length)
                .putInt(content.length)
                .put(content)
                .array();
    }

    @Test
    void framesComeWholeHoweverTheyAreCut() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<byte[]> sent = new ArrayList<>();
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = 0; i < 500; i++) {
            byte[] content = new byte[1 + random.nextInt(i % 10 == 0 ? 10_000 : 100)];
            random.nextBytes(content);
            sent.add(frame(content));
            stream.writeBytes(frame(content));
        }
        byte[] all = stream.toByteArray();
        List<byte[]> got = new ArrayList<>();
        int at = 0;
        while (at < all.length) {
            int count = Math.min(all.length - at, 1 + random.nextInt(3_000));
            // As a socket's buffer: more room than bytes, and what is around them is not the reader's.
            byte[] read = new byte[count + 20];
            Arrays.fill(read, (byte) 0x55);
            System.arraycopy(all, at, read, 10, count);
            reader.feed(read, 10, 10 + count);
            for (ByteSequence next = reader.next(); next != null; next = reader.next()) {
                got.add(Arrays.copyOfRange(next.getData(), next.getOffset(), next.getOffset() + next.getLength()));
            }
            for (int i = 0; i < 10; i++) {
                assertThat(read[i]).isEqualTo((byte) 0x55);
                assertThat(read[10 + count + i]).isEqualTo((byte) 0x55);
            }
            at += count;
        }
        assertThat(got).as("seed " + seed).hasSameSizeAs(sent);
        for (int i = 0; i < sent.size(); i++) {
            assertThat(got.get(i)).isEqualTo(sent.get(i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10_001, Integer.MAX_VALUE, 0, -1, Integer.MIN_VALUE})
    void aFrameWhoseLengthIsNotAllowedIsRefusedByItsLengthAlone(int length) {
        byte[] head = ByteBuffer.allocate(4).putInt(length).array();
        reader.feed(head, 0, 4);
        assertThatThrownBy(reader::next).isInstanceOf(OpenWireException.class).hasMessageContaining("frameBytesMax");
    }
}
