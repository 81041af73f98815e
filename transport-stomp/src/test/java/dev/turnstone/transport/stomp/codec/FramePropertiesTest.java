package dev.turnstone.transport.stomp.codec;

import static dev.turnstone.transport.stomp.codec.Frames.decode;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class FramePropertiesTest {
    private static final StompLimits NARROW = new StompLimits(32, 64, 8, 256, 128, 300, 200);

    /** A frame to encode; each char of the body is an octet. */
    record Sample(Command command, Map<String, String> headers, String bodyOctets) {
        byte[] body() {
            return bodyOctets.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    @Provide
    Arbitrary<List<Sample>> samples() {
        // Any code point but NUL, which no version can carry, and halves of surrogate pairs, which have no UTF-8 form.
        Arbitrary<String> text = Arbitraries.strings()
                .withChars('\n', '\r', ':', '\\', ' ', 'n', 'c', 'r')
                .withCharRange('\u0001', '\u02ff')
                .withChars('\u20ac', '\uffff')
                .ofMaxLength(12);
        Arbitrary<String> name = text.filter(it -> !it.isEmpty() && !it.equals(Header.CONTENT_LENGTH));
        Arbitrary<Sample> sample = Combinators.combine(
                        Arbitraries.of(Command.SEND, Command.MESSAGE, Command.ERROR, Command.ACK, Command.RECEIPT),
                        Arbitraries.maps(name, text).ofMaxSize(6),
                        Arbitraries.strings().withCharRange('\u0000', '\u00ff').ofMaxLength(60))
                .as(Sample::new);
        return sample.list().ofMinSize(1).ofMaxSize(5);
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void whatIsEncodedIn12IsDecodedTheSameHoweverItIsCut(@ForAll("samples") List<Sample> samples, @ForAll long seed) {
        roundTrip(Version.V1_2, samples, new Random(seed));
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void whatIsEncodedIn11IsDecodedTheSameHoweverItIsCut(@ForAll("samples") List<Sample> samples, @ForAll long seed) {
        roundTrip(Version.V1_1, samples, new Random(seed));
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void whatIsEncodedIn10IsDecodedTheSameOrLeftOut(@ForAll("samples") List<Sample> samples, @ForAll long seed) {
        roundTrip(Version.V1_0, samples, new Random(seed));
    }

    private static void roundTrip(Version version, List<Sample> samples, Random random) {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        for (Sample sample : samples) {
            wire.writeBytes(Frames.encode(version, sample.command(), sample.headers(), sample.body()));
            wire.writeBytes("\n".repeat(random.nextInt(3)).getBytes(StandardCharsets.UTF_8));
        }
        List<Frame> frames = decodeInPieces(Frames.decoder(version), wire.toByteArray(), random);
        assertThat(frames).hasSameSizeAs(samples);
        for (int i = 0; i < samples.size(); i++) {
            Sample sample = samples.get(i);
            Frame frame = frames.get(i);
            assertThat(frame.command()).isEqualTo(sample.command());
            assertThat(Frames.text(frame)).isEqualTo(sample.command().hasBody() ? sample.bodyOctets() : "");
            sample.headers()
                    .forEach((name, value) ->
                            assertThat(frame.header(name)).isEqualTo(carriable(version, name, value) ? value : null));
        }
    }

    private static boolean carriable(Version version, String name, String value) {
        return version != Version.V1_0
                || !(name.matches("(?s).*[\n\r:].*") || value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0);
    }

    private static List<Frame> decodeInPieces(FrameDecoder decoder, byte[] wire, Random random) {
        List<Frame> frames = new ArrayList<>();
        int at = 0;
        while (at < wire.length) {
            int to = Math.min(wire.length, at + 1 + random.nextInt(1 + random.nextInt(40)));
            frames.addAll(decode(decoder, Arrays.copyOfRange(wire, at, to)));
            at = to;
        }
        return frames;
    }

    @Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
    void garbageGivesFramesWithinTheLimitsOrAFaultAndNothingElse(
            @ForAll byte[] garbage, @ForAll long seed, @ForAll Version version) {
        feedUntilBroken(Frames.decoder(version, NARROW), garbage, new Random(seed));
        feedUntilBroken(new FrameDecoder(NARROW), garbage, new Random(seed));
    }

    @Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
    void aDamagedStreamGivesFramesWithinTheLimitsOrAFaultAndNothingElse(
            @ForAll("samples") List<Sample> samples, @ForAll long seed, @ForAll Version version) {
        Random random = new Random(seed);
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        for (Sample sample : samples) {
            wire.writeBytes(Frames.encode(version, sample.command(), sample.headers(), sample.body()));
        }
        feedUntilBroken(Frames.decoder(version, NARROW), damaged(wire.toByteArray(), random), random);
    }

    /** Octets changed, dropped, doubled and put in, preferring those that mean something to the protocol. */
    private static byte[] damaged(byte[] wire, Random random) {
        byte[] telling = {0, '\n', '\r', ':', '\\', '0', '9', '-', (byte) 0xC3, (byte) 0xFF};
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int oneIn = 5 + random.nextInt(60);
        for (byte octet : wire) {
            switch (random.nextInt(oneIn)) {
                case 0 -> out.write(telling[random.nextInt(telling.length)]);
                case 1 -> out.write(octet ^ (1 << random.nextInt(8)));
                case 2 -> {
                    out.write(octet);
                    out.write(telling[random.nextInt(telling.length)]);
                }
                case 3 -> {
                    // Dropped.
                }
                default -> out.write(octet);
            }
        }
        return out.toByteArray();
    }

    private static void feedUntilBroken(FrameDecoder decoder, byte[] wire, Random random) {
        try {
            for (Frame frame : decodeInPieces(decoder, wire, random)) {
                assertThat(frame.headers().count()).isLessThanOrEqualTo(NARROW.headersMax());
                assertThat(frame.body().remaining()).isLessThanOrEqualTo(NARROW.bodyBytesMax());
                for (int i = 0; i < frame.headers().count(); i++) {
                    assertThat(frame.headers().name(i)).isNotEmpty();
                    assertThat(frame.headers().value(i).length()).isLessThanOrEqualTo(NARROW.headerLineBytesMax());
                }
            }
        } catch (StompException expected) {
            assertThat(expected.getMessage()).isNotEmpty();
        }
    }
}
