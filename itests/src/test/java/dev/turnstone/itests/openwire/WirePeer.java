package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.BaseCommand;
import org.apache.activemq.command.ConnectionId;
import org.apache.activemq.command.ConnectionInfo;
import org.apache.activemq.command.ExceptionResponse;
import org.apache.activemq.command.MessageDispatch;
import org.apache.activemq.command.MessageId;
import org.apache.activemq.command.ProducerId;
import org.apache.activemq.command.Response;
import org.apache.activemq.command.SessionId;
import org.apache.activemq.command.WireFormatInfo;
import org.apache.activemq.openwire.OpenWireFormat;
import org.apache.activemq.util.ByteSequence;
import org.jspecify.annotations.Nullable;

/** An OpenWire client that sends what it is told. One thread. */
final class WirePeer implements Closeable {
    final ConnectionId id;
    private final Socket socket;
    private final DataInputStream in;
    private final OpenWireFormat format = new OpenWireFormat(12);
    /** Those that have come before the answer to a command. */
    private final Deque<MessageDispatch> dispatches = new ArrayDeque<>();

    private int commands;
    private long inactivityMs;

    WirePeer(int port, String name) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port), name);
    }

    WirePeer(Socket socket, String name) throws IOException {
        id = new ConnectionId(name);
        this.socket = socket;
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    /** Says that neither side will be silent for longer. */
    WirePeer speaksEvery(long milliseconds) {
        inactivityMs = milliseconds;
        return this;
    }

    WirePeer hello() throws IOException {
        WireFormatInfo hello = new WireFormatInfo();
        hello.setVersion(12);
        if (inactivityMs > 0) {
            hello.setMaxInactivityDuration(inactivityMs);
            hello.setMaxInactivityDurationInitalDelay(inactivityMs);
        }
        raw(format.marshal(hello));
        return this;
    }

    WirePeer login() throws IOException {
        return login(false);
    }

    /** Logs in, perhaps as one who comes back when its connection is lost. */
    WirePeer login(boolean comesBack) throws IOException {
        hello();
        ConnectionInfo info = new ConnectionInfo(id);
        info.setClientId(id.getValue());
        info.setFaultTolerant(comesBack);
        assertThat(ask(info).isException()).isFalse();
        return this;
    }

    void raw(ByteSequence bytes) throws IOException {
        socket.getOutputStream().write(bytes.getData(), bytes.getOffset(), bytes.getLength());
    }

    void raw(byte... bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void tell(BaseCommand command) throws IOException {
        command.setCommandId(++commands);
        raw(format.marshal(command));
    }

    /** The answer to a command. */
    Response ask(BaseCommand command) throws IOException {
        command.setResponseRequired(true);
        tell(command);
        while (true) {
            Object next = next();
            if (next instanceof Response response && response.getCorrelationId() == command.getCommandId()) {
                return response;
            } else if (next instanceof MessageDispatch dispatch) {
                dispatches.add(dispatch);
            }
        }
    }

    /** The next dispatch. */
    MessageDispatch dispatch() throws IOException {
        if (!dispatches.isEmpty()) {
            return dispatches.remove();
        }
        while (true) {
            if (next() instanceof MessageDispatch dispatch) {
                return dispatch;
            }
        }
    }

    /** True if nothing is dispatched for a while. */
    boolean getsNothing() throws IOException {
        socket.setSoTimeout((int) ActiveMq.A_WHILE_MS);
        try {
            dispatch();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } finally {
            socket.setSoTimeout(20_000);
        }
    }

    /** The text of the refusal of a command. */
    String refusal(BaseCommand command) throws IOException {
        Response response = ask(command);
        assertThat(response).isInstanceOf(ExceptionResponse.class);
        return String.valueOf(((ExceptionResponse) response).getException().getMessage());
    }

    private @Nullable Object next() throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        ByteSequence whole = new ByteSequence(new byte[4 + frame.length]);
        ByteBuffer.wrap(whole.getData()).putInt(frame.length).put(frame);
        return format.unmarshal(whole);
    }

    void awaitEnd() throws IOException {
        try {
            while (true) {
                next();
            }
        } catch (EOFException | SocketException e) {
            assertThat(e).isNotNull();
        }
    }

    SessionId session() {
        return new SessionId(id, 1);
    }

    ActiveMQTextMessage message(ActiveMQQueue to, ProducerId producer) {
        ActiveMQTextMessage message = new ActiveMQTextMessage();
        message.setProducerId(producer);
        message.setMessageId(new MessageId(producer, ++commands));
        message.setDestination(to);
        return message;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
