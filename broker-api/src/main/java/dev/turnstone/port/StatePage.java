package dev.turnstone.port;

import java.util.List;

/**
 * A part of a listing of protocol state: at most {@code state.pageMax} entries and about 256 KiB.
 *
 * @param entries in the order of the keys' UTF-8 bytes
 * @param more true if there are more: {@link StateQuery#next} asks for them
 */
public record StatePage(List<StateEntry> entries, boolean more) {}
