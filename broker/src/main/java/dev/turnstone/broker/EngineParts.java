package dev.turnstone.broker;

import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What an engine is given.
 *
 * @param limits its named limits
 * @param clockMs the time in milliseconds since the epoch; asked once a turn, on the driving thread
 * @param notifier completes the stages of connects and closes, so that no dependent of one runs in the engine; a
 *     simulator gives {@code Runnable::run}. It also calls the authenticator
 * @param wake called on any thread, when {@link Engine#drain} has returned false and there is something to do again;
 *     returns at once
 * @param security who may connect and do what, until it is replaced
 * @param random numbers from 0 to 1, asked on the driving thread
 * @param addresses the settings of queues and topics, until they are replaced
 * @param bindings where messages go beside their address, until they are replaced
 */
public record EngineParts(
        Limits limits,
        LongSupplier clockMs,
        Executor notifier,
        Runnable wake,
        Security security,
        DoubleSupplier random,
        AddressRules addresses,
        Bindings bindings) {
    /** Parts without bindings. */
    public EngineParts(
            Limits limits,
            LongSupplier clockMs,
            Executor notifier,
            Runnable wake,
            Security security,
            DoubleSupplier random,
            AddressRules addresses) {
        this(limits, clockMs, notifier, wake, security, random, addresses, Bindings.NONE);
    }

    /** An engine that lets everybody in, and whose delays do not vary: for whoever is alone with it. */
    public EngineParts(Limits limits, LongSupplier clockMs, Executor notifier, Runnable wake) {
        this(limits, clockMs, notifier, wake, Security.OPEN, () -> 0.5, AddressRules.DEFAULTS);
    }
}
