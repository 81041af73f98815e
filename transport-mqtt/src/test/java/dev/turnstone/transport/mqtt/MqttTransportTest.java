package dev.turnstone.transport.mqtt;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.BrokerException;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.testkit.transport.Dialect;
import dev.turnstone.testkit.transport.TransportContract;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract of all transports, in MQTT 5. */
final class MqttTransportTest extends TransportContract {
    private final Dialect mqtt = new Mqtt();

    @Override
    protected Dialect dialect() {
        return mqtt;
    }

    @Test
    void wrongSettingsAreFoundBeforeAnythingIsBound() {
        MqttTransportProvider provider = new MqttTransportProvider();
        provider.check(new ListenRequest("127.0.0.1", 1883, Map.of("receiveMax", "5")));
        assertThatThrownBy(() -> provider.check(new ListenRequest("127.0.0.1", 1883, Map.of("receiveMax", "none"))))
                .isInstanceOf(BrokerException.class)
                .hasMessage("mqtt listener: receiveMax must be a whole number from 1 to 65535, not 'none'");
        assertThatThrownBy(() -> provider.check(new ListenRequest("127.0.0.1", 1883, Map.of("recieveMax", "5"))))
                .isInstanceOf(BrokerException.class)
                .hasMessageStartingWith("mqtt listener: unknown setting 'recieveMax'");
        Map<String, String> noKey = Map.of("tls.certificate", "none.pem");
        assertThatThrownBy(() -> provider.check(new ListenRequest("127.0.0.1", 1883, noKey)))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("each certificate needs its key");
    }

    @ParameterizedTest
    @CsvSource({"receiveMax,1", "inflightMax,1", "keepAliveMaxS,0"})
    void whatTwoBytesOfAPacketCannotSayIsRefused(String name, int least) {
        MqttTransportProvider provider = new MqttTransportProvider();
        provider.check(new ListenRequest("127.0.0.1", 1883, Map.of(name, "65535")));
        assertThatThrownBy(() -> provider.check(new ListenRequest("127.0.0.1", 1883, Map.of(name, "65536"))))
                .isInstanceOf(BrokerException.class)
                .hasMessage(
                        "mqtt listener: " + name + " must be a whole number from " + least + " to 65535, not '65536'");
    }

    private static final class Mqtt implements Dialect {
        private int clients;

        @Override
        public String protocol() {
            return "mqtt";
        }

        @Override
        public String path() {
            return "/mqtt";
        }

        @Override
        public String subProtocol() {
            return "mqtt";
        }

        @Override
        public boolean text() {
            return false;
        }

        /** A client of its own each time. */
        @Override
        public byte[] login() {
            return connect(String.format("c%07d", ++clients), true);
        }

        /** One session, which goes on for whoever comes next. */
        @Override
        public byte[] consumerLogin() {
            return connect("consumer", false);
        }

        private static byte[] connect(String clientId, boolean clean) {
            String expiry = clean ? "00" : "05 11 00000e10";
            String hex = "0004 4d515454 05" + (clean ? "02" : "00") + "0000" + expiry + "0008"
                    + HexFormat.of().formatHex(clientId.getBytes(StandardCharsets.US_ASCII));
            return packet(0x10, HexFormat.of().parseHex(hex.replace(" ", "")));
        }

        private static byte[] packet(int first, byte[] body) {
            ByteArrayOutputStream packet = new ByteArrayOutputStream();
            packet.write(first);
            int length = body.length;
            for (; length > 0x7f; length >>>= 7) {
                packet.write(length & 0x7f | 0x80);
            }
            packet.write(length);
            packet.writeBytes(body);
            return packet.toByteArray();
        }

        @Override
        public byte[] send(int number, int bytes) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            body.writeBytes(new byte[] {0, 1, 'a', (byte) (number >> 8), (byte) number, 0});
            body.writeBytes("x".repeat(bytes).getBytes(StandardCharsets.US_ASCII));
            return packet(0x32, body.toByteArray());
        }

        @Override
        public byte[] subscribe() {
            return packet(0x82, new byte[] {0, 1, 0, 0, 1, 'a', 1});
        }

        @Override
        public byte[] fault() {
            return new byte[] {0, 0};
        }

        @Override
        public boolean answersFaults() {
            return true;
        }

        @Override
        public int understand(byte[] received, List<String> answers) {
            int from = 0;
            while (received.length - from >= 2) {
                int length = 0;
                int at = from + 1;
                for (int shift = 0; at < received.length; shift += 7) {
                    length |= (received[at] & 0x7f) << shift;
                    if (received[at++] >= 0) {
                        break;
                    }
                }
                if (received.length - at < length) {
                    break;
                }
                answers.add(answer(received, received[from] >> 4 & 0xf, at));
                from = at + length;
            }
            return from;
        }

        private static String answer(byte[] bytes, int type, int body) {
            return switch (type) {
                case 2 -> bytes[body + 1] == 0 ? LOGGED_IN : REFUSED;
                case 3 -> MESSAGE;
                case 4 -> String.valueOf((bytes[body] & 0xff) << 8 | bytes[body + 1] & 0xff);
                case 14 -> REFUSED;
                default -> "packet " + type;
            };
        }
    }
}
