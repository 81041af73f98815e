package dev.turnstone.server.load;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Load through MQTT 3.1.1. Any thread. */
public final class MqttLoad implements LoadProtocol {
    private static final Logger LOG = LoggerFactory.getLogger(MqttLoad.class);
    private static final List<String> MODES = List.of("qos1", "qos0", "qos2");
    private static final int PACKET_ID_MAX = 65_535;

    private final LoadTarget target;
    private final String clients =
            "perf-" + Integer.toHexString(ThreadLocalRandom.current().nextInt());

    /** On the broker that listens there. */
    public MqttLoad(LoadTarget target) {
        this.target = target;
    }

    @Override
    public List<String> acknowledgeModes() {
        return MODES;
    }

    @Override
    public String refusal(LoadPlan plan) {
        if (!plan.topic()) {
            return "MQTT has no queues: --destination topic:" + plan.destination();
        }
        return plan.inFlight() > PACKET_ID_MAX ? "MQTT has " + PACKET_ID_MAX + " packet identifiers (--in-flight)" : "";
    }

    @Override
    public LoadSender sender(LoadPlan plan, int number, Consumer<IOException> failed) throws IOException {
        MqttSocket socket = open("-producer-" + number);
        socket.patience(0);
        return new MqttSender(socket, plan, number, cause -> failed.accept(target.failure(cause)));
    }

    @Override
    public LoadReceiver receiver(LoadPlan plan, int number) throws IOException {
        MqttSocket socket = open("-consumer-" + number);
        try {
            socket.subscribe(topic(plan), qos(plan));
            return new MqttReceiver(socket);
        } catch (IOException e) {
            socket.close();
            throw target.failure(e);
        }
    }

    private MqttSocket open(String client) throws IOException {
        try {
            return new MqttSocket(target, clients + client);
        } catch (IOException e) {
            throw target.failure(e);
        }
    }

    /** How consumers subscribe. */
    private static int qos(LoadPlan plan) {
        return plan.acknowledge().charAt("qos".length()) - '0';
    }

    private static String topic(LoadPlan plan) {
        return plan.destination().replace('.', '/');
    }

    private static void close(MqttSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("the end of a connection failed", e);
        }
    }

    /** Publishes persistent messages at QoS 1, or at 2 if consumers take that; others at 0, which nobody confirms. */
    private static final class MqttSender implements LoadSender {
        private final MqttSocket socket;
        private final String topic;
        private final int qos;
        private final int inFlight;
        private final Confirmations confirmations = new Confirmations();
        private int packetId;
        private long sent;

        MqttSender(MqttSocket socket, LoadPlan plan, int number, Consumer<IOException> failed) {
            this.socket = socket;
            topic = topic(plan);
            qos = plan.persistent() ? Math.max(1, qos(plan)) : 0;
            inFlight = plan.inFlight();
            confirmations.start("turnstone-perf-answers-" + number, this::answer, failed);
        }

        private int answer() throws IOException {
            MqttSocket.Packet packet = socket.read();
            if (packet.type() == MqttSocket.PUBREC) {
                socket.answer(MqttSocket.PUBREL, packet.packetId(0));
                socket.flush();
            }
            boolean last = packet.type() == MqttSocket.PUBACK || packet.type() == MqttSocket.PUBCOMP;
            return last ? packet.packetId(0) : 0;
        }

        @Override
        public void send(byte[] body, Runnable confirmed) throws IOException {
            if (qos == 0) {
                socket.publish(topic, 0, 0, body);
                sent++;
                if (sent % inFlight == 0) {
                    socket.flush();
                }
                confirmed.run();
                return;
            }
            packetId = packetId % PACKET_ID_MAX + 1;
            confirmations.expect(packetId, confirmed);
            socket.publish(topic, qos, packetId, body);
        }

        @Override
        public void flush() throws IOException {
            socket.flush();
        }

        @Override
        public void close() {
            MqttLoad.close(socket);
        }
    }

    private static final class MqttReceiver implements LoadReceiver {
        private final MqttSocket socket;
        private volatile boolean closed;

        MqttReceiver(MqttSocket socket) {
            this.socket = socket;
        }

        @Override
        public void run(Consumer<byte[]> received) throws IOException {
            try {
                socket.patience(0);
                while (!closed) {
                    MqttSocket.Packet packet = socket.read();
                    if (packet.type() == MqttSocket.PUBLISH) {
                        int end = packet.topicEnd() + (packet.qos() > 0 ? 2 : 0);
                        received.accept(Arrays.copyOfRange(packet.body(), end, packet.body().length));
                        if (packet.qos() > 0) {
                            int answer = packet.qos() == 1 ? MqttSocket.PUBACK : MqttSocket.PUBREC;
                            socket.answer(answer, packet.packetId(packet.topicEnd()));
                        }
                    } else if (packet.type() == MqttSocket.PUBREL) {
                        socket.answer(MqttSocket.PUBCOMP, packet.packetId(0));
                    }
                    if (!socket.more()) {
                        socket.flush();
                    }
                }
            } catch (IOException e) {
                if (!closed) {
                    throw e;
                }
                LOG.debug("closed while it was at work", e);
            }
        }

        @Override
        public void close() {
            closed = true;
            MqttLoad.close(socket);
        }
    }
}
