package dev.turnstone.journal.artemis;

import static dev.turnstone.journal.JournalException.Kind;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.file.BlockFile;
import dev.turnstone.journal.file.FileLayer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder that is locked and known to be ours, of a format that we know. Used by the thread that opens or closes a
 * journal.
 */
final class DataFolder implements AutoCloseable {
    /**
     * 1: the beginning. 2: records that a compaction moved have ids that are turned over, and there may be page files;
     * a program that knows 1 only would take both for something else.
     */
    static final int FORMAT = 2;

    static final String MARKER = "turnstone.format";
    private static final String MARKER_DRAFT = "turnstone.format.tmp";
    private static final String JOURNAL = "journal";
    /** Users may be added, which is audited here, before a broker runs for the first time. */
    private static final String AUDIT_LOG = "audit.log";

    /** What a folder may hold before it is ours: what a crash leaves while it is made, and what a new volume has. */
    private static final Set<String> OURS = Set.of(FolderLock.FILE, MARKER_DRAFT, AUDIT_LOG, "lost+found");

    private static final String FIRST_LINE = "turnstone journal";
    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);

    private final Path path;
    private final FolderLock lock;
    private final FileLayer files;
    private final Marked marked;

    /** What the marker says. */
    private record Marked(int format, int fileBytes) {}

    private DataFolder(Path path, FolderLock lock, FileLayer files, Marked marked) {
        this.path = path;
        this.lock = lock;
        this.files = files;
        this.marked = marked;
    }

    /** Locks a folder, checks that it is ours and marks it if it is new. Touches nothing in one that it refuses. */
    static DataFolder open(Path folder, JournalLimits limits, FileLayer files) {
        try {
            Files.createDirectories(folder);
            refuseForeign(folder, files);
        } catch (IOException e) {
            throw unusable(folder, e);
        }
        FolderLock lock = FolderLock.take(folder);
        try {
            Marked marked = marked(folder, limits, files);
            Path journal = folder.resolve(JOURNAL);
            if (!files.exists(journal)) {
                Files.createDirectories(journal);
                files.syncFolder(folder);
            }
            return new DataFolder(folder, lock, files, marked);
        } catch (IOException e) {
            lock.close();
            throw unusable(folder, e);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Locks a folder that is ours already, to look at it; makes none.
     *
     * @throws JournalException of kind FOREIGN if it is none of ours
     */
    static DataFolder existing(Path folder) {
        FileLayer files = FileLayer.readOnly();
        if (!files.exists(folder.resolve(MARKER))) {
            throw new JournalException(
                    Kind.FOREIGN, folder + " is not a Turnstone data folder: there is no " + folder.resolve(MARKER));
        }
        FolderLock lock = FolderLock.take(folder);
        try {
            JournalLimits any = new JournalLimits(1, 1, Integer.MAX_VALUE);
            return new DataFolder(folder, lock, files, marked(folder, any, files));
        } catch (IOException e) {
            lock.close();
            throw unusable(folder, e);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** The format that the folder has. */
    int format() {
        return marked.format();
    }

    /** Where the journal's files are. */
    Path journalPath() {
        return path.resolve(JOURNAL);
    }

    /** The size of every journal file here, fixed when the folder was made. */
    int fileBytes() {
        return marked.fileBytes();
    }

    /**
     * Marks a folder of an older format as one of this; to be called when all of it was read and nothing was written.
     * Each format so far holds all that the one before may hold, so there is nothing else to change.
     */
    void raiseFormat() {
        if (marked.format() < FORMAT) {
            try {
                write(path, path.resolve(MARKER), marked.fileBytes(), files);
            } catch (IOException e) {
                throw unusable(path, e);
            }
            LOG.info("{} was of format {} and is now of format {}", path, marked.format(), FORMAT);
        }
    }

    @Override
    public void close() {
        lock.close();
    }

    private static void refuseForeign(Path folder, FileLayer files) throws IOException {
        List<String> names = files.list(folder);
        if (names.contains(MARKER)) {
            return;
        }
        for (String name : names) {
            if (!OURS.contains(name)) {
                throw new JournalException(
                        Kind.FOREIGN,
                        folder + " is not empty and not a Turnstone data folder (it holds " + name + " and no " + MARKER
                                + ")");
            }
        }
    }

    private static Marked marked(Path folder, JournalLimits limits, FileLayer files) throws IOException {
        Path marker = folder.resolve(MARKER);
        if (!files.exists(marker)) {
            write(folder, marker, limits.fileBytes(), files);
            return new Marked(FORMAT, limits.fileBytes());
        }
        List<String> lines = read(marker, files).lines().toList();
        if (lines.isEmpty() || !lines.get(0).equals(FIRST_LINE)) {
            throw new JournalException(Kind.FOREIGN, marker + " was not written by Turnstone");
        }
        int format = number(lines, "format", marker);
        if (format > FORMAT) {
            throw new JournalException(
                    Kind.NEWER_FORMAT,
                    folder + " was written in format " + format + "; this version knows formats up to " + FORMAT);
        }
        int fileBytes = number(lines, "file-bytes", marker);
        if (fileBytes < JournalLimits.fileMinBytes(limits.recordMaxBytes())) {
            throw new JournalException(
                    Kind.UNUSABLE,
                    folder + " was made with journal files of " + fileBytes + " bytes, too small for records of "
                            + limits.recordMaxBytes());
        }
        return new Marked(format, fileBytes);
    }

    private static int number(List<String> lines, String name, Path marker) {
        for (String line : lines) {
            if (line.startsWith(name + "=")) {
                try {
                    return Integer.parseInt(line.substring(name.length() + 1).strip());
                } catch (NumberFormatException e) {
                    throw new JournalException(Kind.CORRUPT, marker + " has no number for " + name, e);
                }
            }
        }
        throw new JournalException(Kind.CORRUPT, marker + " has no line for " + name);
    }

    private static String read(Path marker, FileLayer files) throws IOException {
        try (BlockFile file = files.open(marker)) {
            ByteBuffer content = ByteBuffer.allocate((int) Math.min(file.size(), 4096));
            file.read(content, 0);
            return UTF_8.decode(content.flip()).toString();
        }
    }

    private static void write(Path folder, Path marker, int fileBytes, FileLayer files) throws IOException {
        String content = FIRST_LINE + "\nformat=" + FORMAT + "\nfile-bytes=" + fileBytes + "\n";
        Path draft = folder.resolve(MARKER_DRAFT);
        files.delete(draft);
        try (BlockFile file = files.open(draft)) {
            file.write(UTF_8.encode(content), 0);
            file.sync();
        }
        files.rename(draft, marker);
        files.syncFolder(folder);
    }

    private static JournalException unusable(Path folder, IOException cause) {
        return new JournalException(Kind.UNUSABLE, "cannot use the data folder " + folder + ": " + cause, cause);
    }
}
