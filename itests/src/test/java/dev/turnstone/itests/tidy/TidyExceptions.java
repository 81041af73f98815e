package dev.turnstone.itests.tidy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The known exceptions from the rules of shape. Each line of the file is {@code rule place amount}; what follows a hash
 * is a comment. The list may only shrink: an entry that allows more than there is must be lowered or taken out.
 */
final class TidyExceptions {
    private final Map<String, Integer> allowed;

    private TidyExceptions(Map<String, Integer> allowed) {
        this.allowed = allowed;
    }

    static TidyExceptions read(Path file) throws IOException {
        return parse(Files.readAllLines(file));
    }

    static TidyExceptions parse(List<String> lines) {
        Map<String, Integer> allowed = new TreeMap<>();
        for (String line : lines) {
            String entry = line.replaceFirst("#.*", "").strip();
            if (entry.isEmpty()) {
                continue;
            }
            String[] words = entry.split("\\s+");
            if (words.length != 3 || allowed.put(words[0] + " " + words[1], Integer.parseInt(words[2])) != null) {
                throw new IllegalArgumentException("not an exception, or one for the second time: " + line);
            }
        }
        return new TidyExceptions(allowed);
    }

    /** One line for every finding beyond what is allowed and for every allowance beyond what was found. */
    List<String> complaintsAbout(List<Finding> findings) {
        Map<String, Integer> found = new TreeMap<>();
        findings.forEach(finding -> found.merge(finding.key(), finding.amount(), Integer::sum));
        List<String> complaints = new ArrayList<>();
        found.forEach((key, amount) -> {
            if (amount > allowed.getOrDefault(key, 0)) {
                complaints.add(key + " " + amount);
            }
        });
        allowed.forEach((key, amount) -> {
            int actual = found.getOrDefault(key, 0);
            if (actual < amount) {
                complaints.add(
                        key + " " + amount + " is allowed but there is only " + actual + ": shrink the exception");
            }
        });
        return complaints;
    }
}
