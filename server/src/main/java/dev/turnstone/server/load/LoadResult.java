package dev.turnstone.server.load;

import org.HdrHistogram.Histogram;

/**
 * What came of it.
 *
 * @param sent messages that were confirmed while it was measured
 * @param received messages that were received in that time, by all consumers
 * @param millis that time
 * @param missing messages that were confirmed at any time and had not come to each consumer that should have them, a
 *     while after the last was sent
 * @param confirm nanoseconds from a send until its confirmation
 * @param delivery nanoseconds from a send until a consumer has it
 */
public record LoadResult(long sent, long received, long millis, long missing, Histogram confirm, Histogram delivery) {}
