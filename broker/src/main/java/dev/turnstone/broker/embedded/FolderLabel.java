package dev.turnstone.broker.embedded;

import org.slf4j.MDC;

/** What lines of the log say that are about a broker and no connection: the folder of its data. Any thread. */
final class FolderLabel {
    private static final String LABEL = "folder";

    private FolderLabel() {}

    /** A daemon of a broker, not yet started, all of whose lines say which broker it is. */
    static Thread thread(BrokerSettings settings, String role, Runnable work) {
        Thread thread = new Thread(
                () -> {
                    MDC.put(LABEL, settings.data().toString());
                    work.run();
                },
                settings.name() + "-" + role);
        thread.setDaemon(true);
        return thread;
    }
}
