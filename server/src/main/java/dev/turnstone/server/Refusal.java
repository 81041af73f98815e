package dev.turnstone.server;

import dev.turnstone.journal.JournalException;
import dev.turnstone.port.BrokerException;
import dev.turnstone.server.config.Spelling;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns what went wrong into what a user reads: one line, or one for each wrong setting. */
final class Refusal {
    private static final Logger LOG = LoggerFactory.getLogger(Refusal.class);

    private Refusal() {}

    /** The line for a wrong command line. */
    static String of(ParameterException refused) {
        if (refused instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched);
        }
        return oneLine(refused);
    }

    /** The line for a failure; what nobody foresaw is logged with its stack trace. */
    static String of(Throwable failure) {
        if (failure instanceof StartException) {
            return String.valueOf(failure.getMessage());
        } else if (failure instanceof BrokerException || failure instanceof JournalException) {
            return oneLine(failure);
        }
        LOG.error("unexpected failure", failure);
        return "unexpected failure: " + failure.getClass().getSimpleName() + ": " + oneLine(failure);
    }

    private static String unmatched(UnmatchedArgumentException unmatched) {
        String word = unmatched.getUnmatched().get(0);
        var spec = unmatched.getCommandLine().getCommandSpec();
        boolean option = word.startsWith("-");
        Set<String> known =
                option ? spec.optionsMap().keySet() : spec.subcommands().keySet();
        List<String> sorted = known.stream().sorted().toList();
        String hint = Spelling.nearest(word, sorted)
                .map(nearest -> "; did you mean '" + nearest + "'?")
                .orElse(sorted.isEmpty() ? "" : "; known are: " + String.join(", ", sorted));
        return "unknown " + (option ? "option" : "argument") + " '" + word + "'" + hint;
    }

    private static String oneLine(Throwable failure) {
        return String.valueOf(failure.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
