package dev.turnstone.broker.embedded;

import java.nio.file.Path;
import java.util.function.Supplier;
import org.slf4j.MDC;

/** What lines of the log say that are about a broker and no connection: the folder of its data. Any thread. */
public final class FolderLabel {
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

    /** As {@link #during}, for what gives nothing. */
    public static void run(Path folder, Runnable work) {
        boolean unused = during(folder, () -> {
            work.run();
            return true;
        });
    }

    /** Does something on the caller's thread, whose lines say meanwhile that it is for the broker of this folder. */
    public static <T> T during(Path folder, Supplier<T> work) {
        String before = MDC.get(LABEL);
        MDC.put(LABEL, folder.toString());
        try {
            return work.get();
        } finally {
            if (before == null) {
                MDC.remove(LABEL);
            } else {
                MDC.put(LABEL, before);
            }
        }
    }
}
