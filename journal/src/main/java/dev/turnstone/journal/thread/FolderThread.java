package dev.turnstone.journal.thread;

import java.nio.file.Path;
import org.slf4j.MDC;

/** Makes daemons whose lines of the log, the libraries' too, say which folder they work on. Any thread. */
public final class FolderThread {
    private static final String LABEL = "folder";

    private FolderThread() {}

    /** Not yet started. */
    public static Thread of(String name, Path folder, Runnable work) {
        Thread thread = new Thread(
                () -> {
                    MDC.put(LABEL, folder.toString());
                    work.run();
                },
                name);
        thread.setDaemon(true);
        return thread;
    }
}
