package dev.turnstone.itests.crash;

import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import dev.turnstone.testkit.stomp.StompRefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** STOMP clients that work from outside until their connection breaks. */
final class StompWorkers {
    private static final int WINDOW_MAX = 8;
    private static final int MOVED_MAX = 3;
    private static final Duration WAIT = Duration.ofMillis(200);
    private static final String HOST = "127.0.0.1";

    private final int port;
    private final Flow flow;

    StompWorkers(int port, Flow flow) {
        this.port = port;
        this.flow = flow;
    }

    /** Sends with a receipt each, some at a time; returns when the connection breaks. */
    void produce(String prefix) {
        try (StompClient client = StompClient.connect(HOST, port)) {
            for (long n = 0; ; ) {
                List<String> ids = new ArrayList<>();
                for (long window = 1 + n % WINDOW_MAX; window > 0; window--) {
                    String id = prefix + n++;
                    ids.add(id);
                    flow.sendBegun(id);
                    client.send("/queue/" + flow.source(), id, "receipt", id);
                }
                for (String id : ids) {
                    client.awaitReceipt(id);
                    flow.sendConfirmed(id);
                }
            }
        } catch (IOException e) {
            ended(e);
        }
    }

    /** Moves messages in transactions and aborts some; returns when the connection breaks. */
    void move() {
        try (StompClient client = StompClient.connect(HOST, port)) {
            client.subscribe("s", "/queue/" + flow.source(), "client-individual", "prefetch-count", "10");
            for (int turn = 0; ; turn++) {
                String transaction = "t" + turn;
                client.begin(transaction);
                List<String> ids = new ArrayList<>();
                while (ids.size() < 1 + turn % MOVED_MAX) {
                    @Nullable StompFrame message = client.pollMessage(WAIT);
                    if (message == null) {
                        break;
                    }
                    String id = message.text();
                    flow.received(id);
                    ids.add(id);
                    client.ack(message, "transaction", transaction);
                    client.send("/queue/" + flow.target(), id, "transaction", transaction);
                    client.send("/queue/" + flow.copy(), id, "transaction", transaction);
                }
                if (turn % 10 == 9) {
                    client.abort(transaction);
                } else {
                    flow.moveBegun(ids);
                    client.commit(transaction);
                    flow.moveConfirmed(ids);
                }
            }
        } catch (IOException e) {
            ended(e);
        }
    }

    /** Everything that a queue holds, consumed. */
    static List<String> drain(int port, String queue) throws IOException {
        String last = "the last one";
        try (StompClient client = StompClient.connect(HOST, port)) {
            client.sendConfirmed("/queue/" + queue, last);
            client.subscribe("s", "/queue/" + queue, "auto");
            List<String> ids = new ArrayList<>();
            while (true) {
                String id = client.message(Duration.ofSeconds(60)).text();
                if (id.equals(last)) {
                    client.disconnect();
                    return ids;
                }
                ids.add(id);
            }
        }
    }

    /** A broken connection is what the kill does; an answer that says no is a fault. */
    private static void ended(IOException cause) {
        if (cause instanceof StompRefusedException) {
            throw new IllegalStateException("the broker refused a worker", cause);
        }
    }
}
