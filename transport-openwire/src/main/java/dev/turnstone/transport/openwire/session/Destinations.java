package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.List;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTempQueue;
import org.apache.activemq.command.ActiveMQTempTopic;
import org.apache.activemq.command.ActiveMQTopic;
import org.jspecify.annotations.Nullable;

/**
 * Addresses as OpenWire has them. A queue or topic has the same name; of a temporary destination the client makes up
 * the name ({@code ID:…:1}), which stays while the connection that has it comes and goes. Remembers the last one each
 * way: most clients use one. One for each connection.
 */
final class Destinations {
    /** What the names begin with that ActiveMQ's clients make up. */
    private static final String CLIENTS_OWN = "ID:";

    /** The library takes what is behind a question mark for options, so names have this in its place. */
    private static final String MARK = "%3F";

    private static final String LITERAL_MARK = "%253F";

    /** Whose those are that have ended. */
    private static final String ENDED = "ended";

    private static final int OWNER = 1;
    private static final int LOCAL = 2;

    private final Temporaries temporaries;
    private @Nullable ActiveMQDestination lastRead;
    private @Nullable Address lastReadAddress;
    private @Nullable Address lastShown;
    private @Nullable ActiveMQDestination lastShownDestination;

    Destinations(Temporaries temporaries) {
        this.temporaries = temporaries;
    }

    /**
     * What a message is sent to.
     *
     * @throws BrokerException INVALID_ADDRESS if it is no name of one
     */
    Address read(@Nullable ActiveMQDestination destination) {
        if (destination == null) {
            throw new BrokerException(ErrorCode.INVALID_ADDRESS, "the destination is missing");
        }
        Address known = lastReadAddress;
        if (known != null && destination.equals(lastRead)) {
            return known;
        }
        Address address = destination.isTemporary()
                ? temporary(destination)
                : Address.parse(kind(destination), name(destination));
        if (!destination.isTemporary()) {
            lastRead = destination;
            lastReadAddress = address;
        }
        return address;
    }

    /**
     * Where an answer is to go. A temporary destination may have ended, as messages that are sent on outlive those: its
     * name stays.
     *
     * @throws BrokerException INVALID_ADDRESS if it is no name of one
     */
    Address replyTo(ActiveMQDestination destination) {
        boolean ended = destination.isTemporary()
                && name(destination).startsWith(CLIENTS_OWN)
                && temporaries.named(destination) == null;
        return ended ? Address.temporary(kind(destination), ENDED, name(destination)) : read(destination);
    }

    /** What a consumer consumes from: an address or a pattern of topics. */
    Address pattern(ActiveMQDestination destination) {
        return destination.isTemporary()
                ? temporary(destination)
                : Address.pattern(kind(destination), name(destination));
    }

    /** The name that a client means. */
    static String name(ActiveMQDestination destination) {
        return String.valueOf(destination.getPhysicalName()).replace(MARK, "?");
    }

    private static String shown(String name) {
        return name.replace(MARK, LITERAL_MARK).replace("?", MARK);
    }

    private static AddressKind kind(ActiveMQDestination destination) {
        return destination.isQueue() ? AddressKind.QUEUE : AddressKind.TOPIC;
    }

    private Address temporary(ActiveMQDestination destination) {
        String name = name(destination);
        Address own = temporaries.named(destination);
        if (own != null) {
            return own;
        }
        int colon = name.indexOf(':');
        if (colon <= 0 || name.startsWith(CLIENTS_OWN)) {
            throw new BrokerException(
                    ErrorCode.INVALID_ADDRESS, "the temporary destination " + name + " does not exist, or no longer");
        }
        return Address.temporary(kind(destination), name.substring(0, colon), name.substring(colon + 1));
    }

    /** As clients know it. */
    ActiveMQDestination show(Address address) {
        ActiveMQDestination known = lastShownDestination;
        if (known == null || !address.equals(lastShown)) {
            known = shown(address);
            lastShown = address;
            lastShownDestination = known;
        }
        return known;
    }

    private static ActiveMQDestination shown(Address address) {
        boolean queue = address.kind() == AddressKind.QUEUE;
        if (!address.isTemporary()) {
            String name = shown(address.name());
            return queue ? new ActiveMQQueue(name) : new ActiveMQTopic(name);
        }
        List<String> levels = address.levels();
        String local = levels.size() > LOCAL ? levels.get(LOCAL) : "";
        String name = local.startsWith(CLIENTS_OWN) ? local : shown(levels.get(OWNER) + ":" + local);
        return queue ? new ActiveMQTempQueue(name) : new ActiveMQTempTopic(name);
    }
}
