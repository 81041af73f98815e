package dev.turnstone.jms;

import javax.naming.Reference;

/**
 * Makes connections to the broker that its URL names, such as {@code vm://?data=./data}, which starts one in this JVM.
 * The scheme chooses the connector; the URL's parameters {@code prefetch} (1 to 1 000 000, default 1 000) and
 * {@code ack.sync} (default true) and {@code object.allow} (the classes that object messages may bring, such as
 * {@code com.acme.**,java.util.ArrayList}; default none) are this side's, all others are the connector's. Any thread,
 * once it is set up. A directory can hold one as a {@link Reference}; that, and its serialised form, hold the password
 * in clear.
 */
public final class TurnstoneConnectionFactory extends AnyConnectionFactory {
    private static final long serialVersionUID = 1;

    /** A factory for the default embedded broker, {@code vm://}, until a URL is set. */
    public TurnstoneConnectionFactory() {
        this(DEFAULT_URL);
    }

    /** A factory for the broker with this URL, which is checked when a connection is made. */
    public TurnstoneConnectionFactory(String url) {
        super(url);
    }
}
