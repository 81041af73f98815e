package dev.turnstone.broker.session;

import dev.turnstone.broker.security.Security;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Login;
import java.util.function.Consumer;

/** A login that an authenticator checks. Owned by the engine thread, but for what it holds. */
final class LoggingIn {
    private final Login login;
    private final Security security;
    private final long endsMs;
    private final Consumer<BrokerException> late;

    LoggingIn(Login login, Security security, long endsMs, Consumer<BrokerException> late) {
        this.login = login;
        this.security = security;
        this.endsMs = endsMs;
        this.late = late;
    }

    Login login() {
        return login;
    }

    /** Who checks it. */
    Security security() {
        return security;
    }

    /** When its time ends, in milliseconds since the epoch. */
    long endsMs() {
        return endsMs;
    }

    /** Told when that has come. */
    Consumer<BrokerException> late() {
        return late;
    }
}
