package dev.turnstone.broker.embedded;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalListener;

/** Passes on what the journal says, and its times to the meter. The journal's threads. */
record MeteredListener(JournalListener listener, BrokerMeter meter) implements JournalListener {
    @Override
    public void durable(long lsn) {
        listener.durable(lsn);
    }

    @Override
    public void written(long lsn) {
        listener.written(lsn);
    }

    @Override
    public void roomChanged() {
        listener.roomChanged();
    }

    @Override
    public void synced(long nanos) {
        meter.synced(nanos);
    }

    @Override
    public void failed(JournalException cause) {
        listener.failed(cause);
    }
}
