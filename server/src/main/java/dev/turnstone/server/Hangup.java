package dev.turnstone.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears SIGHUP. Java has no supported class for signals; the one that every JDK has is called by reflection, since the
 * compiler warns of it.
 */
final class Hangup {
    private static final Logger LOG = LoggerFactory.getLogger(Hangup.class);

    private Hangup() {}

    /** Runs a task on a thread of the JVM's at each SIGHUP; false if this system has no such signal. */
    static boolean handle(Runnable task) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object handling = Proxy.newProxyInstance(
                    Hangup.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            task.run();
                        }
                        return null;
                    });
            Method handle = signal.getMethod("handle", signal, handler);
            handle.invoke(null, signal.getConstructor(String.class).newInstance("HUP"), handling);
            return true;
        } catch (InvocationTargetException e) {
            // The system has no SIGHUP, or the JVM was told to leave signals alone (-Xrs).
            LOG.debug("no SIGHUP here", e);
            return false;
        } catch (ReflectiveOperationException e) {
            LOG.warn("SIGHUP cannot be heard on this Java", e);
            return false;
        }
    }
}
