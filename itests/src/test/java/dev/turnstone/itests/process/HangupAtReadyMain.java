package dev.turnstone.itests.process;

import dev.turnstone.server.Main;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** The program, which sends itself SIGHUP when it says that it is ready, and comes no further than that. */
final class HangupAtReadyMain {
    private HangupAtReadyMain() {}

    public static void main(String[] arguments) {
        System.setOut(new PrintStream(new HangsUp(System.out), true, StandardCharsets.UTF_8));
        Main.main(arguments);
    }

    private static final class HangsUp extends FilterOutputStream {
        HangsUp(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
            out.flush();
            if (!new String(bytes, from, length, StandardCharsets.UTF_8).contains("ready in")) {
                return;
            }
            String self = Long.toString(ProcessHandle.current().pid());
            try {
                new ProcessBuilder("kill", "-HUP", self).start().waitFor();
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }
}
