package dev.turnstone.itests.security;

import dev.turnstone.server.security.Permission;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A secured broker for OpenWire clients: alice, whose role may do everything with {@code orders.>}. */
public final class OpenWireSecurity implements AutoCloseable {
    private final SecuredBroker broker;
    private final int port;

    /** In a folder that holds nothing else. */
    public OpenWireSecurity(Path folder) {
        broker = new SecuredBroker(folder);
        port = broker.listen("openwire");
    }

    /** Where OpenWire is spoken. */
    public int port() {
        return port;
    }

    /** Where OpenWire is spoken with these settings; these users, who have no passwords, have alice's role. */
    public int certified(Map<String, String> settings, String... users) {
        for (String user : users) {
            broker.users.add(user, null, Set.of("clerks"));
        }
        // Reads the users, too.
        broker.permit(List.of(Permission.of(List.of("clerks"), "orders.>", List.of("all"))));
        return broker.openWire(settings).port();
    }

    /** The password of alice. */
    public String password() {
        return SecuredBroker.ALICE;
    }

    @Override
    public void close() {
        broker.close();
    }
}
