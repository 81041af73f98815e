package dev.turnstone.benchmarks.idle;

import dev.turnstone.server.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a connection costs a broker while it is silent: so many clients of one kind connect to a broker in a process of
 * its own and subscribe, each to a topic of its own. The broker's live heap before and after says by class what one of
 * them has taken; what the first hundred take is left out, for it may be there once for all.
 */
public final class IdleCost {
    private static final int WARM_UP = 100;
    private static final int ADDRESSES = 5_000;
    private static final int CLASSES = 100;
    private static final double LEAST_BYTES = 7;

    private final PrintStream out;

    public IdleCost(PrintStream out) {
        this.out = out;
    }

    /**
     * Measures and prints.
     *
     * @param data the broker's folder
     */
    public void run(IdleClients clients, int connections, Path data) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process broker = new ProcessBuilder(
                        java,
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "run",
                        "--data",
                        data.toString(),
                        "--listen",
                        clients.protocol() + "=127.0.0.1:0")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<Socket> open = new ArrayList<>();
        try (BufferedReader said = broker.inputReader()) {
            int port = port(said);
            connect(clients, port, WARM_UP, open);
            Heap before = Heap.of(broker.pid());
            connect(clients, port, connections, open);
            print(clients, connections, before, Heap.of(broker.pid()));
            for (Socket one : open) {
                one.close();
            }
        } finally {
            broker.destroy();
            broker.onExit().join();
        }
    }

    private static int port(BufferedReader said) throws IOException {
        int port = 0;
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith("listening")) {
                port = Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
            } else if (line.startsWith("ready")) {
                return port;
            }
        }
        throw new IOException("the broker did not start");
    }

    private static void connect(IdleClients clients, int port, int count, List<Socket> open) throws IOException {
        for (int i = 0; i < count; i++) {
            int number = open.size();
            Socket socket = new Socket();
            open.add(socket);
            socket.setTcpNoDelay(true);
            // Addresses of their own, so that none runs out of ports.
            socket.bind(new InetSocketAddress(loopback(2 + number / ADDRESSES), 0));
            socket.connect(new InetSocketAddress(loopback(1), port));
            clients.begin(socket, number);
        }
    }

    private static InetAddress loopback(int last) throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    }

    private void print(IdleClients clients, int connections, Heap before, Heap after) {
        say(
                "%s: %.0f bytes of live heap a connection, %.1f KiB resident",
                clients,
                (double) (after.total() - before.total()) / connections,
                (double) (after.residentKiB() - before.residentKiB()) / connections);
        Map<String, Double> each = new HashMap<>();
        after.classes().forEach((name, bytes) -> {
            double more = (double) (bytes - before.classes().getOrDefault(name, 0L)) / connections;
            if (more >= LEAST_BYTES) {
                each.put(name, more);
            }
        });
        each.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(CLASSES)
                .forEach(one -> say("%8.0f  %s", one.getValue(), one.getKey()));
    }

    private void say(String format, Object... values) {
        out.printf(Locale.ROOT, format + "%n", values);
    }

    /**
     * What lives in a JVM after a full collection.
     *
     * @param classes bytes of each class
     */
    private record Heap(Map<String, Long> classes, long total, long residentKiB) {
        static Heap of(long pid) throws IOException {
            Process jcmd = new ProcessBuilder("jcmd", String.valueOf(pid), "GC.class_histogram").start();
            String text;
            try (InputStream in = jcmd.getInputStream()) {
                text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
            Map<String, Long> classes = new HashMap<>();
            long total = 0;
            for (String line : text.lines().toList()) {
                String[] words = line.strip().split("\\s+");
                if (words.length >= 4 && words[0].endsWith(":")) {
                    classes.merge(words[3], Long.parseLong(words[2]), Long::sum);
                } else if (words[0].equals("Total")) {
                    total = Long.parseLong(words[2]);
                }
            }
            return new Heap(classes, total, residentKiB(pid));
        }

        private static long residentKiB(long pid) throws IOException {
            for (String line : Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status"))) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("\\D", ""));
                }
            }
            return 0;
        }
    }
}
