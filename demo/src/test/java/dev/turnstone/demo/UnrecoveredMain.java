package dev.turnstone.demo;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnectionFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A mutant: recovery, which asks for connections where the worker asks for contexts, never reaches the broker. */
final class UnrecoveredMain {
    private UnrecoveredMain() {}

    public static void main(String[] args) {
        WorkerMain.run(args, UnrecoveredMain::withoutConnections, System.out);
    }

    private static XAConnectionFactory withoutConnections(XAConnectionFactory broker) {
        return (XAConnectionFactory) Proxy.newProxyInstance(
                UnrecoveredMain.class.getClassLoader(),
                new Class<?>[] {XAConnectionFactory.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("createXAConnection")) {
                        throw new JMSException("told to be out of reach");
                    }
                    try {
                        return method.invoke(broker, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
