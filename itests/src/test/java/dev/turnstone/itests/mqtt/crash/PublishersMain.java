package dev.turnstone.itests.mqtt.crash;

import dev.turnstone.itests.process.Parent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Publishers of both kinds; ends when all of them have completed what they have sent. */
final class PublishersMain {
    static final List<String> RAW = List.of("raw1", "raw2");
    static final List<String> HIVE = List.of("hive");

    private PublishersMain() {}

    private interface Work {
        void run() throws IOException;
    }

    public static void main(String[] args) throws IOException {
        Parent.endWithIt();
        int port = Integer.parseInt(args[0]);
        Path folder = Path.of(args[1]);
        CompletableFuture<?>[] running = {
            start(new RawPublisher(RAW.get(0), port, folder)::run),
            start(new RawPublisher(RAW.get(1), port, folder)::run),
            start(new HivePublisher(HIVE.get(0), port, folder)::run)
        };
        System.out.println(Child.READY);
        CompletableFuture.allOf(running).join();
        System.exit(0);
    }

    private static CompletableFuture<Void> start(Work work) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        work.run();
                        end.complete(null);
                    } catch (IOException | RuntimeException e) {
                        // The campaign sees the exit code and the diary.
                        e.printStackTrace();
                        Runtime.getRuntime().halt(3);
                    }
                })
                .start();
        return end;
    }
}
