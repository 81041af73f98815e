package dev.turnstone.port;

import org.jspecify.annotations.Nullable;

/**
 * Which protocol state to list: keys of one namespace that start with a prefix, in the order of their UTF-8 bytes.
 *
 * @param namespace the namespace
 * @param prefix what the keys start with; empty for all
 * @param after only keys behind this one; null to begin with the first
 */
public record StateQuery(
        String namespace, String prefix, @Nullable String after) {
    /** Checks the namespace. */
    public StateQuery {
        StateChange.checkNamespace(namespace);
    }

    /** The first page of what starts with the prefix. */
    public static StateQuery of(String namespace, String prefix) {
        return new StateQuery(namespace, prefix, null);
    }

    /** What follows a page, which must have {@link StatePage#more} and is therefore not empty. */
    public StateQuery next(StatePage page) {
        return new StateQuery(
                namespace, prefix, page.entries().get(page.entries().size() - 1).key());
    }
}
