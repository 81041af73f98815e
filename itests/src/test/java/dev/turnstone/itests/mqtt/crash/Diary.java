package dev.turnstone.itests.mqtt.crash;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * What a process has to remember when it is killed: lines that are in the file when {@link #note} returns. The machine
 * does not go down, so nothing is synced. One thread.
 */
final class Diary implements AutoCloseable {
    private static final String END = ";";

    private final OutputStream out;

    Diary(Path file) throws IOException {
        out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        // A line that the last kill has cut short ends here, and is none.
        out.write('\n');
    }

    /** Appends a line, in one write. */
    void note(String line) throws IOException {
        out.write((line + END + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** The whole lines of a diary; none if there is no such file. */
    static List<String[]> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        return Files.readAllLines(file).stream()
                .filter(line -> line.endsWith(END))
                .map(line -> line.substring(0, line.length() - END.length()).split(" "))
                .toList();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
