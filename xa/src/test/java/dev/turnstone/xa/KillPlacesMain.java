package dev.turnstone.xa;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.transaction.xa.XAResource;

/** A process that ends, as by SIGKILL, before or after one verb of one resource. */
final class KillPlacesMain {
    static final int KILLED = 137;
    private static final long RECEIVE_MS = 10_000;

    private KillPlacesMain() {}

    /** Arguments: folder, journal, and the place: broker or db, the verb, before or after. */
    public static void main(String[] args) throws Exception {
        String[] place = args[2].split("\\.");
        Shop shop = new Shop(
                Path.of(args[0]),
                args[1],
                broker -> place[0].equals("broker") ? watched(XAConnectionFactory.class, broker, place) : broker,
                db -> place[0].equals("db") ? watched(XADataSource.class, db, place) : db);
        shop.send("orders", "boots");
        shop.narayana.userTransaction().begin();
        try (JMSContext context = shop.jms().createContext()) {
            JMSConsumer orders = context.createConsumer(context.createQueue("orders"));
            String order = orders.receiveBody(String.class, RECEIVE_MS);
            shop.sell(order);
            context.createProducer().send(context.createQueue("bills"), "bill of " + order);
        }
        shop.narayana.userTransaction().commit();
        // Not by itself: the place was not reached.
        Runtime.getRuntime().halt(0);
    }

    private static <T> T watched(Class<T> type, Object target, String[] place) {
        return type.cast(Proxy.newProxyInstance(
                KillPlacesMain.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    boolean here =
                            target instanceof XAResource && method.getName().equals(place[1]);
                    if (here && place[2].equals("before")) {
                        Runtime.getRuntime().halt(KILLED);
                    }
                    Object result;
                    try {
                        result = method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (here) {
                        Runtime.getRuntime().halt(KILLED);
                    }
                    return wrapped(method.getReturnType(), result, place);
                }));
    }

    private static Object wrapped(Class<?> type, Object result, String[] place) {
        boolean watched = type == XAJMSContext.class || type == XAConnection.class || type == XAResource.class;
        return watched ? watched(type, result, place) : result;
    }
}
