package dev.turnstone.itests.security;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/** Keeps the console as quiet as it was while a test captures everything. */
final class QuietFilter extends Filter<ILoggingEvent> {
    private final Level least;

    QuietFilter(Level least) {
        this.least = least;
    }

    @Override
    public FilterReply decide(ILoggingEvent event) {
        return event.getLevel().isGreaterOrEqual(least) ? FilterReply.NEUTRAL : FilterReply.DENY;
    }
}
