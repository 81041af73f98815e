package dev.turnstone.itests.mqtt.crash;

import dev.turnstone.port.Broker;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.StateChange;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Faults between MQTT and the port, which the campaign must notice. */
enum Mutants {
    /** No fault. */
    NONE,
    /** A message at QoS 2 is stored without its packet identifier. */
    ID_NOT_STORED,
    /** PUBCOMP leaves before the release of the packet identifier is durable. */
    PUBCOMP_EARLY,
    /** PUBREL leaves before PUBREC is durable. */
    PUBREL_EARLY;

    private static final Completion NOBODY = Completion.onFailure(cause -> {
        throw cause;
    });

    /** The broker with this fault. */
    Broker of(Broker broker) {
        return this == NONE ? broker : proxy(Broker.class, broker, this::connected);
    }

    private Object connected(Object result) {
        if (result instanceof CompletionStage<?> stage) {
            return stage.thenApply(connection -> proxy(Connection.class, (Connection) connection, this::opened));
        }
        return result;
    }

    private Object opened(Object result) {
        return result instanceof Session session ? faulty(session) : result;
    }

    private Session faulty(Session session) {
        return (Session) Proxy.newProxyInstance(
                Session.class.getClassLoader(), new Class<?>[] {Session.class}, (proxy, method, arguments) -> {
                    if (this == ID_NOT_STORED && arguments != null && arguments[0] instanceof Send send) {
                        arguments[0] = send.with(List.<StateChange>of());
                    }
                    boolean early = this == PUBCOMP_EARLY
                                    && method.getName().equals("changeState")
                                    && isAbout(arguments[0], "\0i")
                            || this == PUBREL_EARLY
                                    && method.getName().equals("settle")
                                    && isAbout(((Settle) arguments[0]).state(), "\0r");
                    if (!early) {
                        return invoke(session, method, arguments);
                    }
                    int last = arguments.length - 1;
                    Completion completion = (Completion) arguments[last];
                    arguments[last] = NOBODY;
                    Object result = invoke(session, method, arguments);
                    completion.done();
                    return result;
                });
    }

    private static boolean isAbout(Object changes, String kind) {
        return ((List<?>) changes)
                .stream().anyMatch(change -> ((StateChange) change).key().contains(kind));
    }

    private static <T> T proxy(Class<T> type, T real, java.util.function.UnaryOperator<Object> changed) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            Object result = invoke(real, method, arguments);
            return result == null ? null : changed.apply(result);
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object invoke(Object real, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
