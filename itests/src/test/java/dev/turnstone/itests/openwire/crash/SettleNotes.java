package dev.turnstone.itests.openwire.crash;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.Settle;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the broker has given and what settlements it has confirmed, by the messages' positions, in a file that outlives
 * its process: a message whose settlement was confirmed must never be given again, whatever the client's library does
 * with those that were not. Any thread.
 */
final class SettleNotes {
    private static final String GIVEN = "given ";
    private static final String SETTLED = "settled ";

    private final OutputStream out;

    SettleNotes(Path file) throws IOException {
        out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void note(String what, long position) {
        byte[] line = (what + position + "\n").getBytes(StandardCharsets.US_ASCII);
        synchronized (out) {
            try {
                out.write(line);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Notes for one session of the port. */
    OfSession ofSession() {
        return new OfSession();
    }

    /** Positions that were given after their settlement had been confirmed. */
    static Set<Long> givenAfterAll(Path file) throws IOException {
        Set<Long> settled = new HashSet<>();
        Set<Long> again = new TreeSet<>();
        for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
            if (line.startsWith(SETTLED)) {
                settled.add(Long.valueOf(line.substring(SETTLED.length())));
            } else if (line.startsWith(GIVEN) && settled.contains(Long.valueOf(line.substring(GIVEN.length())))) {
                again.add(Long.valueOf(line.substring(GIVEN.length())));
            }
        }
        return again;
    }

    /** A session's deliveries, until they are settled. */
    final class OfSession {
        private record Key(int consumer, long delivery) {}

        private final Map<Key, Long> positions = new ConcurrentHashMap<>();

        void given(Delivery delivery) {
            positions.put(new Key(delivery.consumer(), delivery.number()), delivery.position());
            note(GIVEN, delivery.position());
        }

        /** Hears of a settlement that stands alone; the others are their transactions'. */
        Completion settled(Settle settle, Completion completion) {
            if (settle.transaction() != Session.NO_TRANSACTION || settle.outcome() != Outcome.ACCEPTED) {
                return completion;
            }
            return new Completion() {
                @Override
                public void done() {
                    for (long number = settle.first(); number <= settle.last(); number++) {
                        Long position = positions.remove(new Key(settle.consumer(), number));
                        if (position != null) {
                            note(SETTLED, position);
                        }
                    }
                    completion.done();
                }

                @Override
                public void failed(BrokerException cause) {
                    completion.failed(cause);
                }
            };
        }

        SessionListener listening(SessionListener listener) {
            return new Listener(this, listener);
        }
    }

    private record Listener(OfSession notes, SessionListener real) implements SessionListener {
        @Override
        public void delivery(Delivery delivery) {
            notes.given(delivery);
            real.delivery(delivery);
        }

        @Override
        public void browseEnded(int consumer) {
            real.browseEnded(consumer);
        }

        @Override
        public void queueFound(int watch, dev.turnstone.port.Address queue) {
            real.queueFound(watch, queue);
        }

        @Override
        public void consumerClosed(int consumer, BrokerException cause) {
            real.consumerClosed(consumer, cause);
        }
    }
}
