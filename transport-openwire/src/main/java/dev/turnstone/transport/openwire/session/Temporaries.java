package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Address;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.apache.activemq.command.ActiveMQDestination;
import org.jspecify.annotations.Nullable;

/**
 * The temporary destinations that OpenWire clients of a broker have made, by the names that they made up, and who wants
 * to hear of their life. Any thread.
 */
final class Temporaries {
    private final Map<ActiveMQDestination, Address> addresses = new ConcurrentHashMap<>();
    private final Set<BiConsumer<ActiveMQDestination, Boolean>> watchers = ConcurrentHashMap.newKeySet();

    /** The address behind a name; null if there is none. */
    @Nullable
    Address named(ActiveMQDestination name) {
        return addresses.get(name);
    }

    /** It is there, perhaps again: a client that comes back has another address for the same name. */
    void made(ActiveMQDestination name, Address address) {
        addresses.put(name, address);
        watchers.forEach(watcher -> watcher.accept(name, true));
    }

    /** It is gone, if it still has this address. */
    void gone(ActiveMQDestination name, Address address) {
        if (addresses.remove(name, address)) {
            watchers.forEach(watcher -> watcher.accept(name, false));
        }
    }

    /**
     * Those that there are; from now on the watcher hears of each that comes (true) or goes (false), on any thread. One
     * that comes meanwhile may be among both.
     */
    List<ActiveMQDestination> watch(BiConsumer<ActiveMQDestination, Boolean> watcher) {
        watchers.add(watcher);
        return List.copyOf(addresses.keySet());
    }

    void unwatch(BiConsumer<ActiveMQDestination, Boolean> watcher) {
        watchers.remove(watcher);
    }
}
