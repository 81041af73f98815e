package dev.turnstone.server.metrics;

import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.JournalProvider;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The provider {@code breakable}: the real journal, until a test says that its disk has failed. Any thread. */
public final class BreakableJournalProvider implements JournalProvider {
    /** Its name. */
    public static final String NAME = "breakable";

    private static final Map<Path, JournalListener> OPEN = new ConcurrentHashMap<>();

    private static final Map<Path, Runnable> OPENING = new ConcurrentHashMap<>();
    private static final Map<Path, Runnable> OPENED = new ConcurrentHashMap<>();
    private static final Map<Path, Runnable> CLOSED = new ConcurrentHashMap<>();

    private final JournalProvider real = new ArtemisJournalProvider();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Journal open(Path folder, JournalLimits limits, JournalListener listener) {
        happen(OPENING, folder);
        OPEN.put(folder, listener);
        Journal journal = real.open(folder, limits, listener);
        return (Journal) Proxy.newProxyInstance(
                Journal.class.getClassLoader(), new Class<?>[] {Journal.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(journal, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        if (method.getName().equals("close")) {
                            happen(CLOSED, folder);
                        }
                    }
                });
    }

    private static void happen(Map<Path, Runnable> events, Path folder) {
        Runnable event = events.get(folder);
        if (event != null) {
            event.run();
        }
    }

    /** What happens before the journal of this folder is opened; it may throw. */
    public static void opening(Path folder, Runnable event) {
        OPENING.put(folder, event);
    }

    /** What happens when the files of this folder are open. */
    public static void opened(Path folder, Runnable event) {
        OPENED.put(folder, event);
    }

    /** What happens when the journal of this folder has been closed; it may throw. */
    public static void closed(Path folder, Runnable event) {
        CLOSED.put(folder, event);
    }

    @Override
    public PageStore openPages(Path folder, PageListener listener) {
        PageStore pages = real.openPages(folder, listener);
        happen(OPENED, folder);
        return pages;
    }

    /** The disk of this folder has failed. */
    static void fail(Path folder) {
        Objects.requireNonNull(OPEN.remove(folder))
                .failed(new JournalException(JournalException.Kind.IO, "the disk of " + folder + " has failed"));
    }
}
