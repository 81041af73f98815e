package dev.turnstone.port;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One change of protocol state: the value of a key is put or removed, in one unit with the send or settle that carries
 * it. The broker keeps state over restarts and does not look into it. Immutable; the value belongs to the change.
 *
 * <p>Limits: {@code state.keyBytesMax} for namespace and key together in UTF-8, {@code state.valueBytesMax}, and for
 * all state together {@code state.keysMax} and {@code state.bytesMax}; a put beyond one is refused with LIMIT_EXCEEDED.
 */
public final class StateChange {
    private final String namespace;
    private final String key;
    private final byte @Nullable [] value;

    private StateChange(String namespace, String key, byte @Nullable [] value) {
        checkNamespace(namespace);
        this.namespace = namespace;
        this.key = key;
        this.value = value;
    }

    /** The key has this value from now on, whether it had one before or not. */
    public static StateChange put(String namespace, String key, byte[] value) {
        return new StateChange(namespace, key, Objects.requireNonNull(value, "value"));
    }

    /** The key has no value from now on; nothing happens if it has none. */
    public static StateChange remove(String namespace, String key) {
        return new StateChange(namespace, key, null);
    }

    static void checkNamespace(String namespace) {
        if (namespace.isEmpty() || namespace.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a namespace is not empty and has no zero character");
        }
    }

    /** Whose state it is: each protocol has namespaces of its own. */
    public String namespace() {
        return namespace;
    }

    /** The key in the namespace; any text. */
    public String key() {
        return key;
    }

    /** The new value, not to be changed; null if the key is removed. */
    public byte @Nullable [] value() {
        return value;
    }

    /** What all the values put together take, in bytes. */
    public static long valueBytes(List<StateChange> changes) {
        long bytes = 0;
        for (int i = 0; i < changes.size(); i++) {
            byte[] put = changes.get(i).value;
            bytes += put == null ? 0 : put.length;
        }
        return bytes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StateChange that
                && namespace.equals(that.namespace)
                && key.equals(that.key)
                && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(namespace, key, Arrays.hashCode(value));
    }

    @Override
    public String toString() {
        return (value == null ? "remove " : "put " + value.length + " bytes at ") + namespace + " " + key;
    }
}
