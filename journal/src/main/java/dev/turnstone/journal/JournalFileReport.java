package dev.turnstone.journal;

/**
 * What one journal file holds.
 *
 * @param name its name
 * @param id its number; a later file has a larger one
 * @param bytes its size
 * @param dataBytes where its data end; what follows is older use of the file, or a torn write
 * @param state what it is
 */
public record JournalFileReport(String name, long id, long bytes, int dataBytes, State state) {
    /** What a file is. */
    public enum State {
        /** Without data, for later use. */
        SPARE,
        /** With data, and more may follow: the newest one with data. */
        OPEN,
        /** With data, complete. */
        COMPLETE,
        /** Not as it was written, or not readable by this version. */
        DAMAGED
    }
}
