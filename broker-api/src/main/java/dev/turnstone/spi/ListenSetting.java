package dev.turnstone.spi;

/**
 * A setting that a protocol's listeners have beside their place. Immutable.
 *
 * @param name as an entry of {@code listen} has it
 * @param standard what holds if nothing is written, as one would write it; empty for nothing
 * @param unit of a number: {@link #BYTES}, which may be written with KiB and so on, or empty for any other
 * @param meaning what it is for: a phrase without a full stop, as Markdown
 */
public record ListenSetting(String name, String standard, String unit, String meaning) {
    /** The unit of amounts of bytes. */
    public static final String BYTES = "bytes";

    /** One that is no amount of bytes. */
    public ListenSetting(String name, String standard, String meaning) {
        this(name, standard, "", meaning);
    }

    /** An amount of bytes. */
    public static ListenSetting bytes(String name, long standard, String meaning) {
        return new ListenSetting(name, ByteSize.format(standard), BYTES, meaning);
    }

    /** The same setting where its name stands behind a word and a dot. */
    public ListenSetting of(String word) {
        return new ListenSetting(word + "." + name, standard, unit, meaning);
    }

    /** The same setting with another default. */
    public ListenSetting withStandard(String other) {
        return new ListenSetting(name, other, unit, meaning);
    }
}
