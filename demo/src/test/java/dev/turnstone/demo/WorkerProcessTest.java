package dev.turnstone.demo;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class WorkerProcessTest {
    @Test
    void aWorkerThatCannotWorkEndsAndSaysWhy(@TempDir Path folder) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            WorkerProcess.Start start =
                    new WorkerProcess.Start(WorkerMain.class.getName(), folder, "artemis", taken.getLocalPort(), 0, 0);
            assertThatThrownBy(() -> {
                        try (WorkerProcess worker = WorkerProcess.start(start)) {
                            worker.count();
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot listen for stomp")
                    .hasMessageContaining("Address already in use");
        }
    }
}
