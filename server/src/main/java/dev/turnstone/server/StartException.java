package dev.turnstone.server;

import dev.turnstone.server.config.Problem;
import java.util.List;

/** Why the broker does not start, in lines that a user can act on: one for each thing that is wrong. */
final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartException(String message) {
        super(message);
    }

    StartException(String message, Throwable cause) {
        super(message, cause);
    }

    StartException(List<Problem> problems) {
        super(String.join("\n", problems.stream().map(Problem::toString).toList()));
    }
}
