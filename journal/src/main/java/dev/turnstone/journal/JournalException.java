package dev.turnstone.journal;

/** Why a journal could not be opened, loaded or written. */
public final class JournalException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kind of failure, for whoever decides what happens next. */
    public enum Kind {
        /** The folder is in use by another broker; nothing in it was touched. */
        LOCKED,
        /** The folder cannot be created, read or written. */
        UNUSABLE,
        /** The folder holds something that is not a Turnstone journal; nothing in it was touched. */
        FOREIGN,
        /** The folder was written by a newer format than this program knows. */
        NEWER_FORMAT,
        /** A file's content contradicts its checksums or its structure. */
        CORRUPT,
        /** A write or an fsync failed. */
        IO,
        /** The caller broke the contract, for example deleted a record that does not exist; the journal stops. */
        MISUSE
    }

    private final Kind kind;

    /** A failure with a message that names the folder or file. */
    public JournalException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** A failure with its cause. */
    public JournalException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** What kind of failure this is. */
    public Kind kind() {
        return kind;
    }
}
