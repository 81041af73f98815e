package dev.turnstone.journal.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a journal needs of a file system. Any thread. */
public interface FileLayer {
    /** The file system of the machine. */
    static FileLayer system() {
        return new SystemFiles();
    }

    /** The file system of the machine, of which nothing can be changed. */
    static FileLayer readOnly() {
        return new ReadOnlyFiles(system());
    }

    /** Opens a file for reading and writing, creating it if it does not exist. */
    BlockFile open(Path file) throws IOException;

    /** True if the file exists. */
    boolean exists(Path file);

    /** The size of a file in bytes. */
    long size(Path file) throws IOException;

    /** How many bytes may still be written to the disk that holds a folder. */
    long freeBytes(Path folder) throws IOException;

    /** The names of what is in a folder, in no order. */
    List<String> list(Path folder) throws IOException;

    /**
     * Renames a file, replacing an existing one, atomically. Survives a power failure only after {@link #syncFolder}.
     */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file if it exists. Survives a power failure only after {@link #syncFolder}. */
    void delete(Path file) throws IOException;

    /** Returns when the creations, renames and deletions in a folder are on the disk. */
    void syncFolder(Path folder) throws IOException;
}
