package dev.turnstone.broker.embedded;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.spi.SharedResources;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the listeners of one broker share. Any thread. */
final class Shared implements SharedResources {
    private static final Logger LOG = LoggerFactory.getLogger(Shared.class);

    private final String broker;
    private final Map<Class<?>, AutoCloseable> instances = new LinkedHashMap<>();
    private boolean closed;

    Shared(String broker) {
        this.broker = broker;
    }

    @Override
    public synchronized <T extends AutoCloseable> T shared(Class<T> type, Function<String, T> create) {
        if (closed) {
            throw new BrokerException(ErrorCode.STOPPED, "the broker has stopped");
        }
        AutoCloseable known = instances.get(type);
        if (known == null) {
            known = create.apply(broker);
            instances.put(type, known);
        }
        return type.cast(known);
    }

    synchronized void close() {
        closed = true;
        for (AutoCloseable instance : instances.values()) {
            closeOne(instance);
        }
        instances.clear();
    }

    private static void closeOne(AutoCloseable instance) {
        try {
            instance.close();
        } catch (Exception e) {
            LOG.warn("Closing {} failed; the broker stops all the same", instance, e);
        }
    }
}
