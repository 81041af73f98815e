package dev.turnstone.testkit.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** The payloads of deflated messages, each for itself (RFC 7692). Stateless. */
public final class RawDeflate {
    private static final int TAIL_BYTES = 4;

    private RawDeflate() {}

    /** What a deflated message carries. */
    public static byte[] deflated(byte[] plain) {
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        deflater.setInput(plain);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[65_536];
        int count;
        do {
            count = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
            out.write(buffer, 0, count);
        } while (count == buffer.length);
        deflater.end();
        byte[] all = out.toByteArray();
        // RFC 7692 section 7.2.1: without the empty block that a flush ends with.
        return Arrays.copyOf(all, all.length - TAIL_BYTES);
    }

    /** What is in a deflated message; of more than 100 000 bytes the first ones. */
    public static byte[] inflated(byte[] deflated) throws IOException {
        Inflater inflater = new Inflater(true);
        byte[] whole = Arrays.copyOf(deflated, deflated.length + TAIL_BYTES);
        whole[deflated.length + 2] = (byte) 0xFF;
        whole[deflated.length + 3] = (byte) 0xFF;
        inflater.setInput(whole);
        byte[] plain = new byte[100_000];
        try {
            return Arrays.copyOf(plain, inflater.inflate(plain));
        } catch (DataFormatException e) {
            throw new IOException("not deflated", e);
        } finally {
            inflater.end();
        }
    }
}
