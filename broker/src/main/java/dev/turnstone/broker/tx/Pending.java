package dev.turnstone.broker.tx;

import dev.turnstone.broker.dedup.SentId;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.store.Page;
import dev.turnstone.port.Message;
import org.jspecify.annotations.Nullable;

/**
 * A message that waits for the end of its transaction.
 *
 * @param message the message, or its head without a body if a page has it
 * @param from who sent it
 * @param id its identity, if it has one
 * @param place where it is; null if it is here
 */
record Pending(
        Message message,
        Origin from,
        @Nullable SentId id,
        @Nullable Place place) {
    /**
     * A message in a page.
     *
     * @param page the page, whose file is written
     * @param slot its number there
     * @param apartBytes what the page has of it beside the head
     */
    record Place(Page page, int slot, int apartBytes) {}

    /** What the message has in bytes, wherever it is. */
    int bytes() {
        return message.encodedBytes() + (place == null ? 0 : place.apartBytes());
    }

    /** The page that has it, or null. */
    @Nullable
    Page page() {
        return place == null ? null : place.page();
    }

    /** The same, whose body only the page has from now on. */
    Pending movedTo(Page page, int slot) {
        Message head = message.toBuilder()
                .noBody(message.bodyKind())
                .mandatory(message.mandatory())
                .build();
        return new Pending(head, from, id, new Place(page, slot, message.encodedBytes() - head.encodedBytes()));
    }
}
