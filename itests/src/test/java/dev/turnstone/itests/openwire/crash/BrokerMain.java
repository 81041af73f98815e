package dev.turnstone.itests.openwire.crash;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.itests.mqtt.crash.Child;
import dev.turnstone.itests.process.Parent;
import dev.turnstone.port.Broker;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.Settle;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.transport.openwire.OpenWireTransportProvider;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/**
 * The broker: data folder, journal, port, and what it does wrong. What it gives and confirms is noted beside its
 * folder.
 */
final class BrokerMain {
    /** What the broker may do wrong. */
    enum Mutant {
        NONE,
        FORGETS_SENDERS,
        FORGETS_SETTLEMENTS
    }

    /** The file of the {@link SettleNotes}, beside the data folder. */
    static final String NOTES = "settlements";

    private final boolean forgetsSenders;
    private final boolean forgetsSettles;
    private final SettleNotes notes;

    private BrokerMain(boolean forgetsSenders, boolean forgetsSettles, SettleNotes notes) {
        this.forgetsSenders = forgetsSenders;
        this.forgetsSettles = forgetsSettles;
        this.notes = notes;
    }

    public static void main(String[] args) throws InterruptedException, IOException {
        Parent.endWithIt();
        Path data = Path.of(args[0]);
        EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(data).withJournal(args[1]));
        Mutant mutant = Mutant.valueOf(args[3]);
        BrokerMain main = new BrokerMain(
                mutant == Mutant.FORGETS_SENDERS,
                mutant == Mutant.FORGETS_SETTLEMENTS,
                new SettleNotes(data.resolveSibling(NOTES)));
        new OpenWireTransportProvider()
                .listen(
                        new ListenRequest("127.0.0.1", Integer.parseInt(args[2]), Map.of()),
                        main.watched(Broker.class, broker.broker()),
                        broker.shared())
                .toCompletableFuture()
                .join();
        System.out.println(Child.READY);
        new CountDownLatch(1).await();
    }

    /** The same, all the way to its sessions, which are noted. */
    private <T> T watched(Class<T> type, Object real) {
        SettleNotes.OfSession session = notes.ofSession();
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (arguments != null) {
                        change(arguments, session);
                        if (forgetsSettles && arguments[0] instanceof Settle settle && alone(settle)) {
                            ((Completion) arguments[1]).done();
                            return null;
                        }
                    }
                    Object result = invoke(real, method, arguments);
                    if (result instanceof CompletionStage<?> stage
                            && method.getName().equals("connect")) {
                        return stage.thenApply(connection -> watched(Connection.class, connection));
                    }
                    return method.getReturnType() == Session.class ? watched(Session.class, result) : result;
                }));
    }

    private static boolean alone(Settle settle) {
        return settle.transaction() == Session.NO_TRANSACTION;
    }

    private void change(Object[] arguments, SettleNotes.OfSession session) {
        if (arguments[0] instanceof SessionListener listener) {
            arguments[0] = session.listening(listener);
        } else if (arguments[0] instanceof Settle settle) {
            arguments[1] = session.settled(settle, (Completion) arguments[1]);
        } else if (forgetsSenders && arguments[0] instanceof Send send && send.dedup() instanceof DedupId.Sequence) {
            // An identity that an application gave stays.
            arguments[0] = send.with((DedupId) null);
        }
    }

    private static Object invoke(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
