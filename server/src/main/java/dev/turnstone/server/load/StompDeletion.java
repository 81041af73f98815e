package dev.turnstone.server.load;

import java.io.IOException;
import java.util.Map;

/** Deletes a queue of a broker that runs, as any STOMP client may that has the permission. Stateless. */
public final class StompDeletion {
    private static final int ANSWER_MS = 30_000;

    private StompDeletion() {}

    /**
     * Deletes the queue with its messages; returns when it is gone, over a crash too.
     *
     * @throws IOException with the place and the broker's reason, if it refuses or does not answer in 30 seconds
     */
    public static void delete(LoadTarget target, String queue) throws IOException {
        try (StompSocket socket = new StompSocket(target)) {
            socket.patience(ANSWER_MS);
            String destination = StompSocket.escaped("/queue/" + queue);
            socket.write("UNSUBSCRIBE", Map.of("delete", destination, "receipt", "deleted"), new byte[0]);
            socket.flush();
            socket.read();
        } catch (IOException e) {
            throw target.failure(e);
        }
    }
}
