package dev.turnstone.port;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One key of protocol state and its value.
 *
 * @param key the key in its namespace
 * @param value the value, not to be changed
 */
public record StateEntry(String key, byte[] value) {
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StateEntry that && key.equals(that.key) && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return key.hashCode() * 31 + Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return key + "=" + value.length + " bytes";
    }
}
