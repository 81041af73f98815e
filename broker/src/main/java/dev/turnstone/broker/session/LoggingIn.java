package dev.turnstone.broker.session;

import dev.turnstone.broker.security.Security;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Login;
import java.util.function.Consumer;

/**
 * A login that an authenticator checks. Owned by the engine thread, but for what it holds.
 *
 * @param security who checks it
 * @param endsMs when its time ends, in milliseconds since the epoch
 * @param late told when that has come; no two logins have the same one
 */
record LoggingIn(Login login, Security security, long endsMs, Consumer<BrokerException> late) {}
