package dev.turnstone.broker.embedded;

import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * An embedded broker that all {@code vm} URLs of one folder share: started by the first connection, ended with the last
 * unless it is to be kept alive. Any thread.
 */
final class SharedBroker {
    /** By the real path of the data folder; also the lock under which brokers start and end. */
    private static final Map<Path, SharedBroker> RUNNING = new HashMap<>();

    private final String id = UUID.randomUUID().toString();
    private final VmUrl url;
    private final EmbeddedBroker broker;
    private boolean keepAlive;
    private int connections;

    private SharedBroker(VmUrl url, EmbeddedBroker broker) {
        this.url = url;
        this.broker = broker;
    }

    /** Unlike that of any other broker. */
    String id() {
        return id;
    }

    Broker broker() {
        return broker.broker();
    }

    /** The broker of the URL's folder, with one more connection; started if there is none. */
    static SharedBroker join(VmUrl url) {
        synchronized (RUNNING) {
            SharedBroker running = RUNNING.get(url.data());
            if (running == null) {
                running = new SharedBroker(url, start(url));
                RUNNING.put(url.data(), running);
            } else {
                running.checkSame(url);
            }
            running.keepAlive |= url.keepAlive();
            running.connections++;
            return running;
        }
    }

    private static EmbeddedBroker start(VmUrl url) {
        url.listen().forEach(VmUrl.Listen::checkLoopback);
        BrokerSettings settings = BrokerSettings.in(url.data())
                .withJournal(url.journal())
                .withLimits(url.limits())
                .withAddresses(url.addresses())
                .withOnFailure(cause -> forget(url.data()));
        EmbeddedBroker broker = EmbeddedBroker.start(settings);
        try {
            for (VmUrl.Listen listen : url.listen()) {
                broker.listen(listen.protocol(), listen.host(), listen.port(), Map.of());
            }
            return broker;
        } catch (BrokerException refusal) {
            broker.close();
            throw refusal;
        }
    }

    /**
     * Makes the URLs of a broker's folder mean that broker, which somebody else has started and ends.
     *
     * @throws BrokerException INVALID_CONFIGURATION if another one is meant already
     */
    static void adopt(EmbeddedBroker broker) {
        BrokerSettings settings = broker.settings();
        Path data = VmUrl.real(settings.data());
        VmUrl url = new VmUrl(
                data, List.of(), true, settings.journal(), settings.limits(), List.of(), settings.addresses());
        synchronized (RUNNING) {
            SharedBroker adopted = new SharedBroker(url, broker);
            adopted.keepAlive = true;
            // Its folder is locked, so whatever was here before has ended.
            RUNNING.put(data, adopted);
        }
        broker.closed().whenComplete((none, failure) -> {
            synchronized (RUNNING) {
                SharedBroker running = RUNNING.get(data);
                if (running != null && running.broker == broker) {
                    RUNNING.remove(data);
                }
            }
        });
    }

    /** Ends the broker of a folder, whoever is connected, if one runs there. Waits for it. Not on a broker thread. */
    static void stop(Path data) {
        synchronized (RUNNING) {
            SharedBroker running = RUNNING.remove(data);
            if (running != null) {
                running.broker.close();
            }
        }
    }

    /** A broker that failed holds its folder no more, once closed; the next connection starts another. */
    private static void forget(Path data) {
        Thread closer = new Thread(() -> stop(data), "turnstone-vm-failed");
        closer.setDaemon(true);
        closer.start();
    }

    private void checkSame(VmUrl other) {
        if (!other.journal().equals(url.journal())) {
            throw conflict("journal", url.journal());
        }
        if (!other.listen().isEmpty() && !url.listen().equals(other.listen())) {
            throw conflict("listen", url.listen().toString());
        }
        if (!other.addresses().equals(AddressRules.DEFAULTS)
                && !other.addresses().equals(url.addresses())) {
            throw conflict("addresses", url.addresses().toString());
        }
        for (String name : other.limitNames()) {
            if (other.limits().of(name) != url.limits().of(name)) {
                throw conflict(name, Long.toString(url.limits().of(name)));
            }
        }
    }

    private BrokerException conflict(String parameter, String running) {
        return new BrokerException(
                ErrorCode.INVALID_CONFIGURATION,
                "a broker runs in " + url.data() + " already, with " + parameter + "=" + running
                        + "; the URL asks for another");
    }

    /** One connection fewer; the last one ends the broker. Waits for it. Not on a broker thread. */
    void leave() {
        synchronized (RUNNING) {
            connections--;
            if (connections > 0 || keepAlive || RUNNING.get(url.data()) != this) {
                return;
            }
            RUNNING.remove(url.data());
            // Within the lock, so that whoever starts the next broker in this folder finds it free.
            broker.close();
        }
    }
}
