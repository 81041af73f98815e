package dev.turnstone.journal;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What a look at the journal of a folder has found, which changed nothing. Immutable.
 *
 * @param format the folder's format
 * @param fileBytes the size of each journal file
 * @param files the journal files, oldest first
 * @param problems what a start would refuse or a broker stop at, each with its file and position; empty if the journal
 *     and its page files are sound
 * @param living what lives in it; null if there are problems with the journal's own files
 * @param pages its page files
 */
public record JournalReport(
        int format,
        int fileBytes,
        List<JournalFileReport> files,
        List<String> problems,
        @Nullable Living living,
        Pages pages) {
    /**
     * Page files.
     *
     * @param files how many there are
     * @param bytes what they take
     * @param leftOver how many of them no record names, so that a start deletes them; 0 if what lives is not known
     * @param chunks how many of them are chunks of large bodies
     */
    public record Pages(int files, long bytes, int leftOver, int chunks) {}

    /**
     * What lives.
     *
     * @param records how many records
     * @param payloadBytes the sum of their payloads
     * @param moved how many of them a compaction has moved
     * @param types the same for each type of record
     */
    public record Living(long records, long payloadBytes, long moved, SortedMap<Byte, OfType> types) {}

    /** How many records of a type live, and the sum of their payloads in bytes. */
    public record OfType(long records, long payloadBytes) {
        /** With one record more. */
        public OfType and(long bytes) {
            return new OfType(records + 1, payloadBytes + bytes);
        }
    }

    /** Copies the lists. */
    public JournalReport {
        files = List.copyOf(files);
        problems = List.copyOf(problems);
    }
}
