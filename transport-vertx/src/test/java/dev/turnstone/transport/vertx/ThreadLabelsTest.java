package dev.turnstone.transport.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

final class ThreadLabelsTest {
    @Test
    void aThreadThatIsMadeLaterHasThoseOfWhoAskedForThem() throws Exception {
        MDC.put("folder", "data");
        ThreadLabels labels;
        try {
            labels = ThreadLabels.ofCaller();
        } finally {
            MDC.remove("folder");
        }
        CompletableFuture<String> label = new CompletableFuture<>();
        Thread thread = labels.daemon("labelled", () -> label.complete(MDC.get("folder")));
        assertThat(thread.isDaemon()).isTrue();
        thread.start();
        assertThat(label.get(10, TimeUnit.SECONDS)).isEqualTo("data");
    }
}
