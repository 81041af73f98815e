package dev.turnstone.itests.mqtt.crash;

import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A publisher of QoS 2 by the book: what it has sent and not completed is in its diary before it is sent, and is sent
 * again, as PUBLISH with DUP or as PUBREL, with the next connection. It has few packet identifiers, so that each is
 * used again soon.
 */
final class RawPublisher {
    private static final int WINDOW = 6;
    private static final long KEPT_S = 0xffff_ffffL;
    private static final long PAUSE_NANOS = 700_000;

    private final String name;
    private final int port;
    private final Path file;
    private final Path stop;
    private final Diary diary;
    private final Map<Integer, Sent> out = new LinkedHashMap<>();
    private long next;
    private boolean known;

    /** A message whose PUBCOMP has not come. */
    private static final class Sent {
        private final String payload;
        private boolean received;

        Sent(String payload) {
            this.payload = payload;
        }
    }

    RawPublisher(String name, int port, Path folder) throws IOException {
        this.name = name;
        this.port = port;
        this.file = folder.resolve("publisher-" + name);
        this.stop = folder.resolve("stop");
        remember();
        diary = new Diary(file);
    }

    private void remember() throws IOException {
        for (String[] line : Diary.read(file)) {
            switch (line[0]) {
                case "known" -> known = true;
                case "send" -> {
                    out.put(Integer.parseInt(line[1]), new Sent(line[2]));
                    next++;
                }
                case "received" -> out.get(Integer.parseInt(line[1])).received = true;
                default -> out.remove(Integer.parseInt(line[1]));
            }
        }
    }

    /** Publishes until it is told to stop and all is completed. */
    void run() throws IOException {
        while (!finished()) {
            try (MqttPeer peer = MqttPeer.open(port)) {
                boolean present = peer.login(MqttLogin.v5(name).keep(KEPT_S))
                        .variableHeader()
                        .isSessionPresent();
                if (known && !present) {
                    throw new IllegalStateException("the broker has forgotten the session of " + name);
                }
                if (!known) {
                    diary.note("known");
                    known = true;
                }
                publish(peer);
            } catch (IOException e) {
                Child.pause(); // The broker was killed; it will be back.
            }
        }
    }

    private boolean finished() {
        return out.isEmpty() && java.nio.file.Files.exists(stop);
    }

    private void publish(MqttPeer peer) throws IOException {
        for (Map.Entry<Integer, Sent> sent : out.entrySet()) {
            if (sent.getValue().received) {
                peer.ack(MqttMessageType.PUBREL, sent.getKey());
            } else {
                peer.publish(
                        BrokerMain.FROM,
                        sent.getValue().payload,
                        2,
                        sent.getKey(),
                        true,
                        false,
                        MqttProperties.NO_PROPERTIES);
            }
        }
        while (!finished()) {
            for (int packetId = 1; packetId <= WINDOW && !java.nio.file.Files.exists(stop); packetId++) {
                if (!out.containsKey(packetId)) {
                    String payload = name + "." + next++;
                    diary.note("send " + packetId + " " + payload);
                    out.put(packetId, new Sent(payload));
                    peer.publish(BrokerMain.FROM, payload, 2, packetId);
                }
            }
            answer(peer);
            java.util.concurrent.locks.LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void answer(MqttPeer peer) throws IOException {
        MqttMessage message = peer.next();
        int packetId = ((MqttMessageIdVariableHeader) message.variableHeader()).messageId();
        switch (message.fixedHeader().messageType()) {
            case PUBREC -> {
                Sent sent = out.get(packetId);
                if (sent != null && !sent.received) {
                    diary.note("received " + packetId);
                    sent.received = true;
                }
                peer.ack(MqttMessageType.PUBREL, packetId);
            }
            case PUBCOMP -> {
                if (out.containsKey(packetId)) {
                    diary.note("done " + packetId);
                    out.remove(packetId);
                }
            }
            default -> throw new IllegalStateException("a publisher was sent " + message);
        }
    }
}
