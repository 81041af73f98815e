package dev.turnstone.transport.openwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.activemq.command.ActiveMQMapMessage;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.Command;
import org.apache.activemq.command.ConnectionError;
import org.apache.activemq.command.ConnectionId;
import org.apache.activemq.command.ConnectionInfo;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.DataStructure;
import org.apache.activemq.command.ExceptionResponse;
import org.apache.activemq.command.KeepAliveInfo;
import org.apache.activemq.command.LocalTransactionId;
import org.apache.activemq.command.MessageAck;
import org.apache.activemq.command.MessageId;
import org.apache.activemq.command.ProducerId;
import org.apache.activemq.command.ProducerInfo;
import org.apache.activemq.command.RemoveInfo;
import org.apache.activemq.command.SessionId;
import org.apache.activemq.command.TransactionId;
import org.apache.activemq.command.TransactionInfo;
import org.apache.activemq.command.WireFormatInfo;
import org.apache.activemq.command.XATransactionId;
import org.apache.activemq.openwire.OpenWireFormat;
import org.apache.activemq.util.ByteSequence;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WireCodecTest {
    private static final int FRAME_MAX = 1 << 20;
    private static final int MUTILATED = 15_000;

    private final WireCodec codec = new WireCodec(FRAME_MAX, 30_000);

    /** Set by the class below, which no byte of a peer may bring to life. */
    private static final AtomicBoolean ALIVE = new AtomicBoolean();

    /** An exception that does something. */
    public static final class Harmful extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** As the library makes it. */
        public Harmful(String message) {
            super(message);
            ALIVE.set(true);
        }
    }

    /** The peer's side, after both have said hello. */
    private OpenWireFormat agreed(int version, boolean tight, boolean cache) throws IOException {
        return agreed(codec, version, tight, cache);
    }

    private static OpenWireFormat agreed(WireCodec codec, int version, boolean tight, boolean cache)
            throws IOException {
        OpenWireFormat peer = new OpenWireFormat(version);
        WireFormatInfo hello = new WireFormatInfo();
        hello.setVersion(version);
        hello.setTightEncodingEnabled(tight);
        hello.setCacheEnabled(cache);
        hello.setCacheSize(1024);
        hello.setStackTraceEnabled(true);
        hello.setMaxInactivityDuration(10_000);
        assertThat(codec.decode(peer.marshal(hello))).isInstanceOf(WireFormatInfo.class);
        WireFormatInfo mine = (WireFormatInfo) peer.unmarshal(codec.encode(codec.hello()));
        assertThat(codec.agree(hello)).isEqualTo(10_000);
        peer.setPreferedWireFormatInfo(hello);
        peer.renegotiateWireFormat(mine);
        return peer;
    }

    @ParameterizedTest
    @MethodSource("forms")
    void commandsCrossBothWaysInEveryForm(int version, boolean tight, boolean cache) throws IOException {
        OpenWireFormat peer = agreed(version, tight, cache);
        assertThat(codec.version()).isEqualTo(version);
        for (int i = 0; i < 3_000; i++) {
            ActiveMQTextMessage message = new ActiveMQTextMessage();
            message.setDestination(new ActiveMQQueue("q" + i));
            message.setMessageId(new MessageId("ID:a:1:1:" + i));
            message.setProducerId(message.getMessageId().getProducerId());
            message.setPersistent(true);
            ActiveMQTextMessage there = (ActiveMQTextMessage) codec.decode(peer.marshal(message));
            assertThat(there.getDestination()).isEqualTo(message.getDestination());
            assertThat(there.getMessageId()).isEqualTo(message.getMessageId());
            ActiveMQTextMessage back = (ActiveMQTextMessage) peer.unmarshal(codec.encode(there));
            assertThat(back.getProducerId()).isEqualTo(message.getProducerId());
        }
    }

    /** Each version, tight and loose, with and without cache. */
    static Stream<Arguments> forms() {
        return IntStream.rangeClosed(9, 12)
                .boxed()
                .flatMap(version -> IntStream.range(0, 4)
                        .mapToObj(bits -> Arguments.of(version, (bits & 1) == 1, (bits & 2) == 2)));
    }

    @ParameterizedTest
    @CsvSource({"9,true", "9,false", "10,true", "10,false", "11,true", "11,false", "12,true", "12,false"})
    void anExceptionInAnAcknowledgementIsReadAsTextWhateverItsClass(int version, boolean tight) throws IOException {
        OpenWireFormat peer = agreed(version, tight, false);
        MessageAck ack = new MessageAck();
        ack.setPoisonCause(new Harmful("why"));
        ALIVE.set(false);
        MessageAck read = (MessageAck) codec.decode(peer.marshal(ack));
        assertThat(ALIVE).isFalse();
        assertThat(read.getPoisonCause().getMessage()).isEqualTo("why");
        assertThat(read.getPoisonCause()).isExactlyInstanceOf(Throwable.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noExceptionIsReadAnywhereElse(boolean tight) throws IOException {
        OpenWireFormat peer = agreed(12, tight, false);
        ALIVE.set(false);
        ExceptionResponse response = new ExceptionResponse(new Harmful("x"));
        ConnectionError error = new ConnectionError();
        error.setException(new Harmful("x"));
        ActiveMQMessage nested = new ActiveMQMessage();
        nested.setDataStructure(response);
        ALIVE.set(false);
        for (DataStructure command : List.of(response, error, nested)) {
            ByteSequence frame = peer.marshal(command);
            assertThatThrownBy(() -> codec.decode(frame))
                    .isInstanceOf(OpenWireException.class)
                    .hasMessageContaining("Unknown data type");
        }
        assertThat(ALIVE).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"9,true", "9,false", "10,true", "10,false", "11,true", "11,false", "12,true", "12,false"})
    void anIdentifierThatLacksAPartIsRefused(int version, boolean tight) throws IOException {
        for (DataStructure lacking : List.of(
                new MessageId(),
                new ProducerId(),
                new ConsumerId(),
                new SessionId(),
                new ConnectionId(),
                new LocalTransactionId(),
                new XATransactionId())) {
            WireCodec fresh = new WireCodec(FRAME_MAX, 30_000);
            ByteSequence frame = agreed(fresh, version, tight, false).marshal(carrying(lacking));
            assertThatThrownBy(() -> fresh.decode(frame))
                    .isInstanceOf(OpenWireException.class)
                    .hasMessageContaining("without one of its parts");
        }
    }

    private static Command carrying(DataStructure lacking) {
        MessageAck ack = new MessageAck();
        if (lacking instanceof MessageId id) {
            ack.setLastMessageId(id);
        } else if (lacking instanceof ConsumerId id) {
            ack.setConsumerId(id);
        } else if (lacking instanceof TransactionId id) {
            ack.setTransactionId(id);
        } else if (lacking instanceof ProducerId id) {
            return new ProducerInfo(id);
        } else {
            return new RemoveInfo(lacking);
        }
        return ack;
    }

    @Test
    void nestingHasAnEnd() throws IOException {
        OpenWireFormat peer = agreed(12, false, false);
        ActiveMQMessage message = new ActiveMQMessage();
        for (int i = 0; i < 20; i++) {
            ActiveMQMessage outer = new ActiveMQMessage();
            outer.setDataStructure(message);
            message = outer;
        }
        ByteSequence frame = peer.marshal(message);
        assertThatThrownBy(() -> codec.decode(frame))
                .isInstanceOf(OpenWireException.class)
                .hasMessageContaining("nested");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 99, -1, Integer.MIN_VALUE})
    void aCacheThatCouldNeverBeUsedIsRefused(int size) throws IOException {
        WireFormatInfo hello = new WireFormatInfo();
        hello.setVersion(12);
        hello.setCacheEnabled(true);
        hello.setCacheSize(size);
        assertThatThrownBy(() -> codec.agree(hello))
                .isInstanceOf(OpenWireException.class)
                .hasMessageContaining("cache");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 8})
    void anOlderVersionIsRefused(int version) {
        WireFormatInfo hello = new WireFormatInfo();
        hello.setVersion(version);
        assertThatThrownBy(() -> codec.agree(hello))
                .isInstanceOf(OpenWireException.class)
                .hasMessageContaining("versions 9 to 12");
    }

    @Test
    void aLaterVersionIsAnsweredWithOurs() {
        WireFormatInfo hello = new WireFormatInfo();
        hello.setVersion(13);
        codec.agree(hello);
        assertThat(codec.version()).isEqualTo(12);
    }

    @Test
    void aFrameLargerThanThePeerTakesIsNotWritten() throws IOException {
        WireFormatInfo hello = new WireFormatInfo();
        hello.setVersion(12);
        hello.setMaxFrameSize(1_000);
        codec.agree(hello);
        ActiveMQMessage message = new ActiveMQMessage();
        message.setContent(new ByteSequence(new byte[2_000]));
        assertThatThrownBy(() -> codec.encode(message)).isInstanceOf(OpenWireException.class);
    }

    /**
     * Whatever the bytes, there is a command or a refusal, soon, and no object of the peer's choice.
     * {@code -Dopenwire.fuzz.seed=} is for the same bytes again.
     */
    @ParameterizedTest
    @MethodSource("forms")
    void mutilatedFramesAreCommandsOrRefused(int version, boolean tight, boolean cache) throws IOException {
        mutilate(version, tight, cache, Long.getLong("openwire.fuzz.seed", System.nanoTime()));
    }

    /** Where the library's assertions are enabled, it takes a command that has too few flags for a fault of its own. */
    @ParameterizedTest
    @MethodSource("forms")
    void aCommandWithTooFewFlagsIsRefused(int version, boolean tight, boolean cache) throws IOException {
        mutilate(version, tight, cache, 30483424581694L);
    }

    private void mutilate(int version, boolean tight, boolean cache, long seed) throws IOException {
        Random random = new Random(seed);
        OpenWireFormat peer = agreed(version, tight, cache);
        List<byte[]> frames = new ArrayList<>();
        for (Command command : commands()) {
            frames.add(peer.marshal(command).toArray());
        }
        ALIVE.set(false);
        for (int i = 0; i < MUTILATED; i++) {
            byte[] frame = frames.get(random.nextInt(frames.size())).clone();
            for (int change = random.nextInt(6); change >= 0; change--) {
                frame[4 + random.nextInt(frame.length - 4)] = (byte) random.nextInt();
            }
            if (random.nextInt(4) == 0) {
                frame = Arrays.copyOf(frame, 5 + random.nextInt(frame.length));
            }
            try {
                assertThat(codec.decode(new ByteSequence(frame))).isNotNull();
            } catch (OpenWireException e) {
                assertThat(e.getMessage()).isNotEmpty();
            } catch (RuntimeException | Error e) {
                throw new AssertionError("-Dopenwire.fuzz.seed=" + seed + ", frame " + i, e);
            }
        }
        assertThat(ALIVE).isFalse();
    }

    private static List<Command> commands() {
        ConnectionInfo connection = new ConnectionInfo(new ConnectionId("ID:fuzz:1"));
        connection.setClientId("client");
        connection.setUserName("user");
        ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(new SessionId(new ConnectionId("ID:fuzz:1"), 1), 1));
        consumer.setDestination(new ActiveMQQueue("a,b?consumer.prefetchSize=1"));
        consumer.setSelector("a = 1");
        MessageAck ack = new MessageAck();
        ack.setConsumerId(consumer.getConsumerId());
        ack.setLastMessageId(new MessageId("ID:fuzz:1:1:1:7"));
        ack.setPoisonCause(new Harmful("x"));
        XATransactionId branch = new XATransactionId();
        branch.setGlobalTransactionId(new byte[] {1, 2});
        branch.setBranchQualifier(new byte[] {3});
        ActiveMQMapMessage message = new ActiveMQMapMessage();
        message.setMessageId(new MessageId("ID:fuzz:1:1:1:8"));
        message.setProducerId(new ProducerId("ID:fuzz:1:1:1"));
        message.setDestination(new ActiveMQQueue("queue"));
        message.setTransactionId(new LocalTransactionId(connection.getConnectionId(), 4));
        message.setContent(new ByteSequence(new byte[] {0, 0, 0, 0}));
        message.setMarshalledProperties(new ByteSequence(new byte[] {0, 0, 0, 0}));
        return List.of(
                connection,
                consumer,
                ack,
                new TransactionInfo(connection.getConnectionId(), branch, TransactionInfo.PREPARE),
                message,
                consumer.createRemoveCommand(),
                new KeepAliveInfo());
    }
}
