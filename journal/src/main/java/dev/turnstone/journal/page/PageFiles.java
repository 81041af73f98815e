package dev.turnstone.journal.page;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.file.FileLayer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Page files in a folder of a file system. One thread writes and deletes, so that many pages share one sync of the
 * folder; another reads, so that no consumer waits for a sync.
 */
public final class PageFiles implements PageStore {
    private final PageFolder folder;
    private final PageListener listener;
    private final PageThread writing;
    private final PageThread reading;

    private PageFiles(PageFolder folder, PageListener listener) {
        this.folder = folder;
        this.listener = listener;
        this.writing = new PageThread("turnstone-page-write", folder, listener);
        this.reading = new PageThread("turnstone-page-read", folder, listener);
    }

    /**
     * Opens the page files in a folder, which is created if it is missing. The caller sees to it that nobody else has
     * the folder open.
     *
     * @throws JournalException of kind UNUSABLE if the folder cannot be created
     */
    public static PageFiles open(Path path, FileLayer files, PageListener listener) {
        try {
            if (!files.exists(path)) {
                Files.createDirectories(path);
                files.syncFolder(path.toAbsolutePath().getParent());
            }
        } catch (IOException e) {
            throw new JournalException(Kind.UNUSABLE, "cannot use the folder " + path + ": " + e, e);
        }
        return new PageFiles(new PageFolder(path, files), listener);
    }

    @Override
    public long[] find() {
        try {
            return folder.find();
        } catch (IOException e) {
            throw new JournalException(Kind.IO, "cannot read the folder " + folder + ": " + e, e);
        }
    }

    @Override
    public int check(long id) {
        try {
            return folder.check(id);
        } catch (JournalException e) {
            throw new JournalException(
                    e.kind(),
                    e.getMessage() + "; nothing was changed; 'turnstone journal verify' shows all that is wrong",
                    e);
        } catch (IOException e) {
            throw new JournalException(Kind.IO, "cannot read page " + id + " in " + folder + ": " + e, e);
        }
    }

    @Override
    public void write(long id, Payload content, boolean durable) {
        writing.take(new PageThread.Write(id, content, durable));
    }

    @Override
    public void read(long id) {
        reading.take(new PageThread.Read(id));
    }

    @Override
    public void delete(long id) {
        writing.take(new PageThread.Delete(id));
    }

    @Override
    public void await() {
        writing.await();
        reading.await();
    }

    @Override
    public void close() {
        writing.finish();
        reading.finish();
    }

    @Override
    public String toString() {
        return folder + " for " + listener;
    }
}
