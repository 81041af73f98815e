package dev.turnstone.itests.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.itests.mqtt.crash.Child;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import dev.turnstone.testkit.transport.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A transaction that receives more than the heap of the broker could hold. */
@Timeout(300)
class LargeReceivesTest {
    private static final Duration SOON = Duration.ofSeconds(2);

    @TempDir
    Path folder;

    @Test
    void aTransactionMayReceiveMoreThanMemoryAndCommit() throws Exception {
        throughJms("receiveAll", 60, "-Xmx48m");
    }

    @Test
    void whatOneRolledBackComesAgainInItsOrder() throws Exception {
        throughJms("receiveTwice", 60, "-Xmx48m");
    }

    /** The prefetch is 1 000 messages, which have 1 MiB each. */
    @Test
    void aConsumerIsNotGivenMoreAheadThanMemoryHasRoomFor() throws Exception {
        throughJms("receiveLate", 60, "-Xmx48m", ":1048576");
    }

    @Test
    @Tag("full")
    void aTransactionMayReceive200MebibytesInASmallHeapAndCommit() throws Exception {
        throughJms("receiveAll", 200, "-Xmx64m");
    }

    @Test
    @Tag("full")
    void theSame200MebibytesComeAgainAfterARollback() throws Exception {
        throughJms("receiveTwice", 200, "-Xmx64m");
    }

    @Test
    void soItIsOverStomp() throws Exception {
        overStomp(60, "-Xmx48m");
    }

    @Test
    @Tag("full")
    void soItIsOverStompWith200Mebibytes() throws Exception {
        overStomp(200, "-Xmx64m");
    }

    private void throughJms(String what, int mebibytes, String heap) throws Exception {
        throughJms(what, mebibytes, heap, "");
    }

    private void throughJms(String what, int mebibytes, String heap, String size) throws Exception {
        Path data = folder.resolve("child");
        String sent = LargeMessagesTest.child(LargeTransactionMain.class, heap, "send" + size, data, mebibytes);
        assertThat(sent).startsWith("RESULT " + ((long) mebibytes << 20) + " ");
        assertThat(LargeMessagesTest.child(LargeTransactionMain.class, heap, what + size, data, mebibytes))
                .isEqualTo(sent);
        assertThat(LargeMessagesTest.child(LargeTransactionMain.class, heap, "receive" + size, data, mebibytes))
                .as("nothing is left")
                .startsWith("RESULT 0 ");
        assertThat(data.resolve("pages").toFile().list())
                .as("the pages of what was consumed")
                .isEmpty();
    }

    private void overStomp(int mebibytes, String heap) throws Exception {
        Path data = folder.resolve("child");
        String sent = LargeMessagesTest.child(LargeTransactionMain.class, heap, "send", data, mebibytes);
        String port = Integer.toString(Ports.free());
        try (Child broker = new Child(heap, LargeTransactionMain.class, "serve", data.toString(), port).awaitReady()) {
            try (StompClient client = StompClient.connect("127.0.0.1", Integer.parseInt(port))) {
                client.subscribe("s", "/queue/large", "client-individual");
                client.begin("one");
                assertThat(received(client, "one")).isEqualTo(sent);
                client.abort("one");
                client.begin("two");
                assertThat(received(client, "two")).isEqualTo(sent);
                client.commit("two");
                assertThat(client.pollMessage(SOON)).isNull();
                client.disconnect();
            }
            broker.kill();
        }
        assertThat(LargeMessagesTest.child(LargeTransactionMain.class, heap, "receive", data, mebibytes))
                .as("nothing is left")
                .startsWith("RESULT 0 ");
    }

    /** What comes until nothing does, acknowledged in a transaction. */
    private static String received(StompClient client, String transaction) throws IOException {
        CRC32C checksum = new CRC32C();
        long length = 0;
        for (StompFrame next = client.pollMessage(SOON); next != null; next = client.pollMessage(SOON)) {
            checksum.update(next.body());
            length += next.body().length;
            client.ack(next, "transaction", transaction);
        }
        return "RESULT " + length + " " + checksum.getValue();
    }
}
