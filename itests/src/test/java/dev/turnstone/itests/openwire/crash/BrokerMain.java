package dev.turnstone.itests.openwire.crash;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.itests.mqtt.crash.Child;
import dev.turnstone.itests.process.Parent;
import dev.turnstone.port.Broker;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Send;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.transport.openwire.OpenWireTransportProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/** The broker: data folder, journal, port, and whether it forgets who has sent what (the mutant). */
final class BrokerMain {
    private BrokerMain() {}

    public static void main(String[] args) throws InterruptedException {
        Parent.endWithIt();
        EmbeddedBroker broker =
                EmbeddedBroker.start(BrokerSettings.in(Path.of(args[0])).withJournal(args[1]));
        boolean forgetful = Boolean.parseBoolean(args[3]);
        new OpenWireTransportProvider()
                .listen(
                        new ListenRequest("127.0.0.1", Integer.parseInt(args[2]), Map.of()),
                        forgetful ? (Broker) forgetting(Broker.class, broker.broker()) : broker.broker(),
                        broker.shared())
                .toCompletableFuture()
                .join();
        System.out.println(Child.READY);
        new CountDownLatch(1).await();
    }

    /** The same, all the way to its sessions, whose sends have no identity but one that an application gave. */
    private static Object forgetting(Class<?> type, Object real) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (arguments != null && arguments[0] instanceof Send send && send.dedup() instanceof DedupId.Sequence) {
                arguments[0] = send.with((DedupId) null);
            }
            Object result = invoke(real, method, arguments);
            Class<?> made = method.getReturnType();
            if (result instanceof CompletionStage<?> stage && method.getName().equals("connect")) {
                return stage.thenApply(connection -> forgetting(dev.turnstone.port.Connection.class, connection));
            }
            return made == dev.turnstone.port.Session.class ? forgetting(made, result) : result;
        });
    }

    private static Object invoke(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
