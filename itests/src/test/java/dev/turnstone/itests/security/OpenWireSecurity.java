package dev.turnstone.itests.security;

import java.nio.file.Path;

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

    /** The password of alice. */
    public String password() {
        return SecuredBroker.ALICE;
    }

    @Override
    public void close() {
        broker.close();
    }
}
