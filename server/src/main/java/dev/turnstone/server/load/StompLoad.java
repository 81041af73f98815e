package dev.turnstone.server.load;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Load through STOMP 1.2. Any thread. */
public final class StompLoad implements LoadProtocol {
    private static final Logger LOG = LoggerFactory.getLogger(StompLoad.class);
    private static final String AUTO = "auto";

    private final LoadTarget target;

    /** On the broker that listens there. */
    public StompLoad(LoadTarget target) {
        this.target = target;
    }

    @Override
    public List<String> acknowledgeModes() {
        return List.of(AUTO, "client", "client-individual");
    }

    @Override
    public LoadSender sender(LoadPlan plan, int number, Consumer<IOException> failed) throws IOException {
        StompSocket socket = open();
        socket.patience(0);
        return new StompSender(socket, plan, number, cause -> failed.accept(target.failure(cause)));
    }

    @Override
    public LoadReceiver receiver(LoadPlan plan, int number) throws IOException {
        StompSocket socket = open();
        Map<String, String> headers =
                Map.of("id", "0", "destination", destination(plan), "ack", plan.acknowledge(), "receipt", "subscribed");
        try {
            socket.write("SUBSCRIBE", headers, new byte[0]);
            socket.flush();
            return new StompReceiver(socket, plan, socket.read());
        } catch (IOException e) {
            socket.close();
            throw target.failure(e);
        }
    }

    private StompSocket open() throws IOException {
        try {
            return new StompSocket(target);
        } catch (IOException e) {
            throw target.failure(e);
        }
    }

    private static String destination(LoadPlan plan) {
        return (plan.topic() ? "/topic/" : "/queue/") + plan.destination();
    }

    private static void close(StompSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("the end of a connection failed", e);
        }
    }

    /** Asks for a receipt for each message. */
    private static final class StompSender implements LoadSender {
        private final StompSocket socket;
        private final Map<String, String> headers = new LinkedHashMap<>();
        private final Confirmations confirmations = new Confirmations();
        private int sent;

        StompSender(StompSocket socket, LoadPlan plan, int number, Consumer<IOException> failed) {
            this.socket = socket;
            headers.put("destination", destination(plan));
            headers.put("persistent", Boolean.toString(plan.persistent()));
            confirmations.start("turnstone-perf-receipts-" + number, this::receipt, failed);
        }

        private int receipt() throws IOException {
            return Integer.parseInt(socket.read().headers().getOrDefault("receipt-id", "0"));
        }

        @Override
        public void send(byte[] body, Runnable confirmed) throws IOException {
            confirmations.expect(++sent, confirmed);
            headers.put("receipt", Integer.toString(sent));
            socket.write("SEND", headers, body);
        }

        @Override
        public void flush() throws IOException {
            socket.flush();
        }

        @Override
        public void close() {
            StompLoad.close(socket);
        }
    }

    private static final class StompReceiver implements LoadReceiver {
        private final StompSocket socket;
        private final boolean manual;
        private StompSocket.Frame frame;
        private volatile boolean closed;

        /** With the first frame that came behind the subscription: its receipt, or a message already. */
        StompReceiver(StompSocket socket, LoadPlan plan, StompSocket.Frame first) {
            this.socket = socket;
            this.frame = first;
            manual = !plan.acknowledge().equals(AUTO);
        }

        @Override
        public void run(Consumer<byte[]> received) throws IOException {
            try {
                socket.patience(0);
                while (!closed) {
                    if (frame.command().equals("MESSAGE")) {
                        received.accept(frame.body());
                        acknowledge();
                    }
                    frame = socket.read();
                }
            } catch (IOException e) {
                if (!closed) {
                    throw e;
                }
                LOG.debug("closed while it was at work", e);
            }
        }

        private void acknowledge() throws IOException {
            if (manual) {
                socket.write("ACK", Map.of("id", frame.headers().getOrDefault("ack", "")), new byte[0]);
                if (!socket.more()) {
                    socket.flush();
                }
            }
        }

        @Override
        public void close() {
            closed = true;
            StompLoad.close(socket);
        }
    }
}
