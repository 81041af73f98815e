package dev.turnstone.transport.stomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.BrokerException;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.testkit.transport.Dialect;
import dev.turnstone.testkit.transport.TransportContract;
import dev.turnstone.transport.stomp.session.StompSettings;
import dev.turnstone.transport.vertx.HttpTransportProvider;
import dev.turnstone.transport.vertx.ListenSettings;
import dev.turnstone.transport.vertx.WireSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract of all transports, in STOMP 1.2. */
final class StompTransportTest extends TransportContract {
    @Override
    protected Dialect dialect() {
        return new Stomp();
    }

    @Test
    void aPrefetchBeyondTheLargestIsRefusedAndTheDefaultIsNoneSuch() {
        StompTransportProvider provider = new StompTransportProvider();
        provider.check(new ListenRequest("127.0.0.1", 0, Map.of("prefetchMax", "10")));
        provider.check(new ListenRequest("127.0.0.1", 0, Map.of("prefetchMax", "10", "prefetchDefault", "10")));
        assertThatThrownBy(() -> provider.check(
                        new ListenRequest("127.0.0.1", 0, Map.of("prefetchMax", "10", "prefetchDefault", "11"))))
                .isInstanceOf(BrokerException.class)
                .hasMessage("stomp listener: prefetchDefault is 11 and prefetchMax 10; lower the first or raise the"
                        + " second");
        assertThatThrownBy(() -> new HttpTransportProvider()
                        .check(new ListenRequest(
                                "127.0.0.1", 0, Map.of("stomp.prefetchMax", "10", "stomp.prefetchDefault", "11"))))
                .hasMessageStartingWith("http listener: stomp.prefetchDefault is 11");
        ListenSettings few = new ListenSettings("stomp", Map.of("prefetchMax", "10"));
        assertThat(StompSettings.read(few, WireSettings.read(few)).prefetchDefault())
                .isEqualTo(10);
    }

    private static final class Stomp implements Dialect {
        @Override
        public String protocol() {
            return "stomp";
        }

        @Override
        public String path() {
            return "/stomp";
        }

        @Override
        public String subProtocol() {
            return "v12.stomp";
        }

        @Override
        public boolean text() {
            return false;
        }

        @Override
        public byte[] login() {
            return octets("CONNECT\naccept-version:1.2\nhost:/\n\n\0");
        }

        @Override
        public byte[] send(int number, int bytes) {
            return octets("SEND\ndestination:/queue/a\nreceipt:" + number + "\n\n" + "x".repeat(bytes) + "\0");
        }

        @Override
        public byte[] subscribe() {
            return octets("SUBSCRIBE\nid:0\ndestination:/queue/a\nprefetch-count:100000\n\n\0");
        }

        @Override
        public byte[] fault() {
            return octets("NONSENSE\n\n\0");
        }

        @Override
        public boolean answersFaults() {
            return true;
        }

        @Override
        public int understand(byte[] received, List<String> answers) {
            int from = 0;
            for (int at = 0; at < received.length; at++) {
                // No body here has a NUL in it.
                if (received[at] == 0) {
                    answers.add(answer(new String(received, from, at - from, StandardCharsets.UTF_8)));
                    from = at + 1;
                }
            }
            return from;
        }

        private static String answer(String frame) {
            String text = frame.stripLeading();
            String command = text.substring(0, text.indexOf('\n'));
            return switch (command) {
                case "CONNECTED" -> LOGGED_IN;
                case "RECEIPT" -> text.lines().skip(1).findFirst().orElse("").substring("receipt-id:".length());
                case "MESSAGE" -> MESSAGE;
                case "ERROR" -> REFUSED;
                default -> command;
            };
        }

        private static byte[] octets(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
