package dev.turnstone.transport.openwire;

import dev.turnstone.testkit.transport.Dialect;
import dev.turnstone.testkit.transport.TransportContract;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.command.ActiveMQBytesMessage;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.Command;
import org.apache.activemq.command.ConnectionId;
import org.apache.activemq.command.ConnectionInfo;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.MessageDispatch;
import org.apache.activemq.command.MessageId;
import org.apache.activemq.command.ProducerId;
import org.apache.activemq.command.Response;
import org.apache.activemq.command.SessionId;
import org.apache.activemq.command.WireFormatInfo;
import org.apache.activemq.openwire.OpenWireFormat;
import org.apache.activemq.util.ByteSequence;

class OpenWireTransportTest extends TransportContract {
    private static final ActiveMQQueue QUEUE = new ActiveMQQueue("contract");

    @Override
    protected Dialect dialect() {
        return new Spoken();
    }

    /** A client that proposes the plain form, so that its bytes are the same at any time. */
    private static final class Spoken implements Dialect {
        private static final int LOGIN = 1_000_000;
        private static final int SIZE = 4;
        /** Each caller is another client. */
        private static final AtomicInteger CALLERS = new AtomicInteger();

        private final OpenWireFormat format = new OpenWireFormat(12);
        private final String connection = "ID:contract-" + CALLERS.incrementAndGet();

        @Override
        public String protocol() {
            return "openwire";
        }

        @Override
        public boolean speaksWeb() {
            return false;
        }

        @Override
        public byte[] login() {
            WireFormatInfo hello = new WireFormatInfo();
            hello.setVersion(12);
            ConnectionInfo info = new ConnectionInfo(new ConnectionId(connection));
            info.setClientId(connection);
            info.setCommandId(LOGIN);
            info.setResponseRequired(true);
            return join(bytes(hello), bytes(info));
        }

        @Override
        public byte[] send(int number, int bytes) {
            ActiveMQBytesMessage message = new ActiveMQBytesMessage();
            ProducerId producer = new ProducerId(new SessionId(new ConnectionId(connection), 1), 1);
            message.setProducerId(producer);
            message.setMessageId(new MessageId(producer, number));
            message.setDestination(QUEUE);
            message.setPersistent(true);
            message.setContent(new ByteSequence(new byte[bytes]));
            message.setCommandId(number);
            message.setResponseRequired(true);
            return bytes(message);
        }

        @Override
        public byte[] subscribe() {
            ConsumerInfo info = new ConsumerInfo(new ConsumerId(new SessionId(new ConnectionId(connection), 1), 1));
            info.setDestination(QUEUE);
            info.setPrefetchSize(Integer.MAX_VALUE);
            return bytes(info);
        }

        @Override
        public byte[] fault() {
            return new byte[] {0, 0, 0, 1, 99};
        }

        @Override
        public boolean answersFaults() {
            return false;
        }

        private byte[] bytes(Object command) {
            try {
                ByteSequence frame = format.marshal(command);
                return join(frame.toArray());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static byte[] join(byte[]... parts) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (byte[] part : parts) {
                all.writeBytes(part);
            }
            return all.toByteArray();
        }

        @Override
        public int understand(byte[] received, List<String> answers) {
            int at = 0;
            while (received.length - at >= SIZE) {
                int length = SIZE + ByteBuffer.wrap(received, at, SIZE).getInt();
                if (received.length - at < length) {
                    break;
                }
                try {
                    understand((Command) format.unmarshal(new ByteSequence(received, at, length)), answers);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                at += length;
            }
            return at;
        }

        private static void understand(Command command, List<String> answers) {
            if (command instanceof Response response && !response.isException()) {
                int to = response.getCorrelationId();
                answers.add(to == LOGIN ? Dialect.LOGGED_IN : String.valueOf(to));
            } else if (command instanceof MessageDispatch) {
                answers.add(Dialect.MESSAGE);
            } else if (command.isResponse()) {
                answers.add(Dialect.REFUSED);
            }
        }
    }
}
