package dev.turnstone.transport.stomp.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Octets and frames for tests. */
final class Frames {
    private Frames() {}

    /** UTF-8, with {@code ^@} for each NUL. */
    static byte[] octets(String text) {
        return text.replace("^@", "\0").getBytes(StandardCharsets.UTF_8);
    }

    static FrameDecoder decoder(Version version) {
        return decoder(version, StompLimits.DEFAULT);
    }

    static FrameDecoder decoder(Version version, StompLimits limits) {
        FrameDecoder decoder = new FrameDecoder(limits);
        decoder.connected(version, Integer.MAX_VALUE);
        return decoder;
    }

    static List<Frame> decode(Version version, String text) {
        return decode(decoder(version), octets(text));
    }

    static List<Frame> decode(FrameDecoder decoder, byte[] octets) {
        decoder.feed(octets, 0, octets.length);
        List<Frame> frames = new ArrayList<>();
        for (Frame frame = decoder.next(); frame != null; frame = decoder.next()) {
            frames.add(frame);
        }
        return frames;
    }

    /** The frames as text that can be compared. */
    static List<String> shown(List<Frame> frames) {
        List<String> shown = new ArrayList<>();
        for (Frame frame : frames) {
            shown.add(frame.command() + " " + frame.headers() + " " + text(frame));
        }
        return shown;
    }

    static String text(Frame frame) {
        return StandardCharsets.ISO_8859_1.decode(frame.body()).toString();
    }

    static byte[] encode(Version version, Command command, Map<String, String> headers, byte[] body) {
        FrameEncoder encoder = new FrameEncoder();
        encoder.connected(version);
        encoder.begin(command);
        headers.forEach(encoder::header);
        if (command.hasBody()) {
            encoder.end(ByteBuffer.wrap(body));
        } else {
            encoder.end();
        }
        return taken(encoder);
    }

    static byte[] taken(FrameEncoder encoder) {
        ByteBuffer buffer = encoder.take();
        byte[] octets = new byte[buffer.remaining()];
        buffer.get(octets);
        return octets;
    }
}
