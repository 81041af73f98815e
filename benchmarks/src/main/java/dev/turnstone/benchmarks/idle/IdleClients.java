package dev.turnstone.benchmarks.idle;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.apache.activemq.command.ActiveMQTopic;
import org.apache.activemq.command.Command;
import org.apache.activemq.command.ConnectionId;
import org.apache.activemq.command.ConnectionInfo;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.Response;
import org.apache.activemq.command.SessionId;
import org.apache.activemq.command.SessionInfo;
import org.apache.activemq.command.WireFormatInfo;
import org.apache.activemq.openwire.OpenWireFormat;

/** Clients by the bytes that they send: each connects, subscribes unless it is said otherwise, and has it answered. */
public enum IdleClients {
    /** MQTT 3.1.1 whose session ends with the connection, and that does not subscribe. */
    MQTT_SILENT("mqtt") {
        @Override
        void begin(Socket socket, int number) throws IOException {
            mqttConnect(socket, number, true);
        }
    },
    /** MQTT 3.1.1 whose session ends with the connection. */
    MQTT_CLEAN("mqtt") {
        @Override
        void begin(Socket socket, int number) throws IOException {
            mqttSubscribe(socket, number, true);
        }
    },
    /** MQTT 3.1.1 whose session stays. */
    MQTT_KEPT("mqtt") {
        @Override
        void begin(Socket socket, int number) throws IOException {
            mqttSubscribe(socket, number, false);
        }
    },
    /** STOMP 1.2. */
    STOMP("stomp") {
        @Override
        void begin(Socket socket, int number) throws IOException {
            send(
                    socket,
                    ("CONNECT\naccept-version:1.2\nhost:x\n\n\0SUBSCRIBE\nid:1\ndestination:/topic/idle." + number
                                    + "\nreceipt:1\n\n\0")
                            .getBytes(StandardCharsets.UTF_8));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            expect(frame(in).startsWith("CONNECTED"));
            expect(frame(in).strip().startsWith("RECEIPT"));
        }
    },
    /** What a connection of ActiveMQ's client sends. */
    OPENWIRE("openwire") {
        @Override
        void begin(Socket socket, int number) throws IOException {
            openWire(socket, number);
        }
    };

    private final String protocol;

    IdleClients(String protocol) {
        this.protocol = protocol;
    }

    String protocol() {
        return protocol;
    }

    /** Makes a client of a socket, number so and so. */
    abstract void begin(Socket socket, int number) throws IOException;

    private static void mqttConnect(Socket socket, int number, boolean clean) throws IOException {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        DataOutputStream body = new DataOutputStream(packet);
        body.writeUTF("MQTT");
        body.write(4);
        body.write(clean ? 2 : 0);
        body.writeShort(0);
        body.writeUTF("idle-" + number);
        mqtt(socket, 0x10, packet, 4);
    }

    private static void mqttSubscribe(Socket socket, int number, boolean clean) throws IOException {
        mqttConnect(socket, number, clean);
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        DataOutputStream body = new DataOutputStream(packet);
        body.writeShort(1);
        body.writeUTF("idle/" + number);
        body.write(1);
        mqtt(socket, 0x82, packet, 5);
    }

    private static void mqtt(Socket socket, int type, ByteArrayOutputStream body, int answerBytes) throws IOException {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.write(type);
        packet.write(body.size());
        body.writeTo(packet);
        send(socket, packet.toByteArray());
        byte[] answer = socket.getInputStream().readNBytes(answerBytes);
        expect(answer.length == answerBytes && answer[answerBytes - 1] >= 0);
    }

    private static String frame(DataInputStream in) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        for (int next = in.read(); next > 0; next = in.read()) {
            frame.write(next);
        }
        return frame.toString(StandardCharsets.UTF_8);
    }

    private static void openWire(Socket socket, int number) throws IOException {
        OpenWireFormat format = new OpenWireFormat();
        WireFormatInfo mine = new WireFormatInfo();
        mine.setVersion(OpenWireFormat.DEFAULT_WIRE_VERSION);
        mine.setMaxInactivityDuration(0);
        ConnectionInfo connection = new ConnectionInfo(new ConnectionId("idle-" + number));
        connection.setClientId("idle-" + number);
        SessionInfo session = new SessionInfo(new SessionId(connection.getConnectionId(), 1));
        ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(session.getSessionId(), 1));
        consumer.setDestination(new ActiveMQTopic("idle." + number));
        consumer.setPrefetchSize(100);
        Command[] commands = {mine, connection, session, consumer};
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(bytes);
        for (int i = 0; i < commands.length; i++) {
            commands[i].setCommandId(i);
            commands[i].setResponseRequired(i > 0);
            format.marshal(commands[i], to);
        }
        send(socket, bytes.toByteArray());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        for (int answered = 0; answered < commands.length - 1; ) {
            if (format.unmarshal(in) instanceof Response answer) {
                expect(!answer.isException());
                answered++;
            }
        }
    }

    private static void send(Socket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    private static void expect(boolean holds) throws IOException {
        if (!holds) {
            throw new IOException("the broker has refused it");
        }
    }
}
