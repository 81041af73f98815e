package dev.turnstone.benchmarks.xa;

import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.JournalProvider;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import dev.turnstone.journal.file.BlockFile;
import dev.turnstone.journal.file.FileLayer;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

/** The provider {@code artemis-counting}: the real journal on the real files, whose syncs are counted. Any thread. */
public final class CountingJournalProvider implements JournalProvider {
    // The service loader makes the provider, and the benchmark asks.
    private static final LongAdder SYNCS = new LongAdder();

    /** Syncs of all journals of this process so far. */
    static long syncs() {
        return SYNCS.sum();
    }

    @Override
    public String name() {
        return "artemis-counting";
    }

    @Override
    public Journal open(Path folder, JournalLimits limits, JournalListener listener) {
        return new ArtemisJournalProvider(name(), counting(FileLayer.class, FileLayer.system()))
                .open(folder, limits, listener);
    }

    @Override
    public PageStore openPages(Path folder, PageListener listener) {
        return new ArtemisJournalProvider(name(), FileLayer.system()).openPages(folder, listener);
    }

    private static <T> T counting(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                CountingJournalProvider.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("sync")) {
                        SYNCS.increment();
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        return result instanceof BlockFile file ? counting(BlockFile.class, file) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
