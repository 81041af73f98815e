package dev.turnstone.itests.joram;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Tests of the suite that may fail for now, and why. */
record KnownFailures(Map<String, String> reasons) {
    /** Reads lines of {@code TEST # REASON}; a line that starts with the hash is a remark. */
    static KnownFailures read(Path file) throws IOException {
        return new KnownFailures(Files.readAllLines(file, StandardCharsets.UTF_8).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split("#", 2))
                .collect(Collectors.toMap(
                        parts -> parts[0].strip(), parts -> parts[1].strip(), (one, other) -> one, TreeMap::new)));
    }

    boolean contains(String test) {
        return reasons.containsKey(test);
    }
}
