package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.apache.activemq.command.BaseCommand;
import org.apache.activemq.command.CommandTypes;
import org.apache.activemq.command.ConnectionId;
import org.apache.activemq.command.ConnectionInfo;
import org.apache.activemq.command.DataStructure;
import org.apache.activemq.command.Response;
import org.apache.activemq.command.ShutdownInfo;
import org.apache.activemq.command.WireFormatInfo;
import org.apache.activemq.openwire.OpenWireFormat;
import org.apache.activemq.util.ByteSequence;

/** A client that has logged in, and speaks one form of the protocol. One thread. */
final class FormPeer implements Closeable {
    /** What a broker may say. */
    private static final Set<Byte> ANSWERS = Set.of(
            CommandTypes.BROKER_INFO,
            CommandTypes.KEEP_ALIVE_INFO,
            CommandTypes.CONNECTION_ERROR,
            CommandTypes.CONSUMER_CONTROL,
            CommandTypes.MESSAGE_DISPATCH,
            CommandTypes.PRODUCER_ACK,
            CommandTypes.RESPONSE,
            CommandTypes.EXCEPTION_RESPONSE,
            CommandTypes.INTEGER_RESPONSE,
            CommandTypes.DATA_ARRAY_RESPONSE);

    private static final int LOGIN = 1;
    private static final int GOODBYE = Integer.MAX_VALUE;

    final ConnectionId id;
    final OpenWireFormat format;
    private final Socket socket;
    private final DataInputStream in;

    FormPeer(int port, String name, int version, boolean tight, boolean cache) throws IOException {
        id = new ConnectionId(name);
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        format = new OpenWireFormat(version);
        WireFormatInfo hello = new WireFormatInfo();
        hello.setVersion(version);
        hello.setTightEncodingEnabled(tight);
        hello.setCacheEnabled(cache);
        hello.setCacheSize(128);
        raw(format.marshal(hello).toArray());
        WireFormatInfo theirs = (WireFormatInfo) next();
        format.setPreferedWireFormatInfo(hello);
        format.renegotiateWireFormat(theirs);
        ConnectionInfo login = new ConnectionInfo(id);
        login.setClientId(name);
        tell(login, LOGIN);
        assertThat(isAnswered(LOGIN)).isTrue();
    }

    private void tell(BaseCommand command, int number) throws IOException {
        command.setCommandId(number);
        command.setResponseRequired(true);
        raw(format.marshal(command).toArray());
    }

    void raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Sends a frame; false if the broker has ended the connection. */
    boolean isTaken(byte[] frame) throws IOException {
        try {
            raw(frame);
            return true;
        } catch (SocketException e) {
            return false;
        }
    }

    /** Leaves, and reads what the broker has to say; true if it has taken the goodbye. */
    boolean saysGoodbye() throws IOException {
        try {
            tell(new ShutdownInfo(), GOODBYE);
            socket.shutdownOutput();
        } catch (SocketException e) {
            // The broker has ended it.
            return false;
        }
        return isAnswered(GOODBYE);
    }

    private boolean isAnswered(int number) throws IOException {
        try {
            while (true) {
                DataStructure next = next();
                assertThat(ANSWERS).contains(next.getDataStructureType());
                if (next instanceof Response response && response.getCorrelationId() == number) {
                    return !response.isException();
                }
            }
        } catch (EOFException | SocketException e) {
            return false;
        }
    }

    private DataStructure next() throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        ByteSequence whole = new ByteSequence(new byte[Integer.BYTES + frame.length]);
        ByteBuffer.wrap(whole.getData()).putInt(frame.length).put(frame);
        Object command = format.unmarshal(whole);
        assertThat(command).isInstanceOf(DataStructure.class);
        return (DataStructure) command;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
