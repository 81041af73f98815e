package dev.turnstone.itests.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The case S06: a STOMP transaction that moves a message, and a broker that is killed (SIGKILL) meanwhile. */
final class StompKillTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(300);
    private static final String HOST = "127.0.0.1";
    private static final long COMMIT_TAKES_AT_MOST_NANOS = 3_000_000;

    @TempDir
    Path folder;

    private ProgramRun start() throws IOException {
        ProgramRun run = ProgramRun.java(folder, "run", "--listen", "stomp=127.0.0.1:0");
        run.awaitReady();
        return run;
    }

    /** Kills the broker and waits until it is gone, so that the folder is free. */
    private static void kill(ProgramRun run) throws InterruptedException {
        run.close();
        run.awaitExit();
    }

    /** Takes x from one queue and sends m to another in a transaction, up to its COMMIT. */
    private static void moveUncommitted(StompClient client, String in, String out) throws IOException {
        client.sendConfirmed(in, "x");
        client.subscribe("s", in, "client-individual");
        StompFrame x = client.message(SOON);
        client.begin("t");
        client.send(out, "m", "transaction", "t");
        client.ack(x, "transaction", "t", "receipt", "acked");
        client.awaitReceipt("acked");
    }

    private static List<StompFrame> drain(ProgramRun run, String destination) throws IOException {
        List<StompFrame> messages = new ArrayList<>();
        try (StompClient client = StompClient.connect(HOST, run.stompPort())) {
            client.subscribe("drain", destination, "auto");
            StompFrame message = client.pollMessage(A_MOMENT);
            while (message != null) {
                messages.add(message);
                message = client.pollMessage(A_MOMENT);
            }
            client.disconnect();
        }
        return messages;
    }

    @Test
    void s06_whatIsConfirmedAsCommittedIsThereAsAWhole() throws Exception {
        ProgramRun run = start();
        try (StompClient client = StompClient.connect(HOST, run.stompPort())) {
            moveUncommitted(client, "/queue/in", "/queue/out");
            client.commit("t");
        }
        kill(run);
        try (ProgramRun again = start()) {
            assertThat(drain(again, "/queue/out")).extracting(StompFrame::text).containsExactly("m");
            assertThat(drain(again, "/queue/in")).isEmpty();
        }
    }

    @Test
    void s06_whatIsNotCommittedHasNotHappened() throws Exception {
        ProgramRun run = start();
        try (StompClient client = StompClient.connect(HOST, run.stompPort())) {
            moveUncommitted(client, "/queue/in", "/queue/out");
            kill(run);
        }
        try (ProgramRun again = start()) {
            List<StompFrame> in = drain(again, "/queue/in");
            assertThat(in).extracting(StompFrame::text).containsExactly("x");
            assertThat(in.get(0).header("redelivered")).isEqualTo("true");
            assertThat(drain(again, "/queue/out")).isEmpty();
        }
    }

    @Test
    void s06_aCommitThatWasNotConfirmedHasHappenedAsAWholeOrNotAtAll() throws Exception {
        Random random = new Random();
        ProgramRun run = start();
        for (int round = 0; round < 3; round++) {
            String in = "/queue/in" + round;
            String out = "/queue/out" + round;
            try (StompClient client = StompClient.connect(HOST, run.stompPort())) {
                moveUncommitted(client, in, out);
                client.command("COMMIT", null, "transaction", "t");
                LockSupport.parkNanos(random.nextLong(COMMIT_TAKES_AT_MOST_NANOS));
                kill(run);
            }
            run = start();
            int back = drain(run, in).size();
            int moved = drain(run, out).size();
            assertThat(back + moved)
                    .as("round %s: %s back, %s moved", round, back, moved)
                    .isEqualTo(1);
        }
        run.terminate();
        assertThat(run.awaitExit()).isZero();
    }
}
