package dev.turnstone.server.security;

import dev.turnstone.port.Login;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** What lines of the log say that are about a login: where it comes from and whose it says it is. Any thread. */
final class LoginLabels {
    private static final String REMOTE = "remote";
    private static final String USER = "user";

    private LoginLabels() {}

    /** Runs a task whose lines say so; those of the thread's others say what they said before. */
    static <T> T during(Login login, Supplier<T> task) {
        @Nullable Map<String, String> before = MDC.getCopyOfContextMap();
        MDC.put(REMOTE, login.remote());
        if (login.user() != null) {
            MDC.put(USER, login.user());
        }
        try {
            return task.get();
        } finally {
            MDC.setContextMap(before == null ? Map.of() : before);
        }
    }
}
