package dev.turnstone.transport.stomp.session;

import dev.turnstone.port.BrokerException;
import org.jspecify.annotations.Nullable;

/** How a connection comes to its end. On the event loop only. */
interface StompEnding {
    /** The broker refused what a frame asked for: ERROR, then the end. */
    void refuse(BrokerException cause, @Nullable String receipt);

    /**
     * The client says goodbye: everything before is finished, the client's place is free, RECEIPT if it asked for one,
     * then the end.
     */
    void disconnect(@Nullable String receipt);

    /** True once the end has begun: nothing more is read or delivered. */
    boolean begun();
}
