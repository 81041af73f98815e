package dev.turnstone.testkit.sim;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.StoredBodies;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Sessions that show something else than what the engine gave. */
public final class SessionFaults {
    private SessionFaults() {}

    /** Shows what came back in the opposite order: a rollback that does not return messages to their place. */
    public static Tampering reversedRedeliveries() {
        return changing(deliveries -> {
            List<Integer> places = new ArrayList<>();
            for (int i = 0; i < deliveries.size(); i++) {
                if (deliveries.get(i).redelivered()) {
                    places.add(i);
                }
            }
            return reversed(deliveries, places);
        });
    }

    /** Shows each two deliveries of one drain in the opposite order. */
    public static Tampering swappedDeliveries() {
        return changing(deliveries -> {
            List<Delivery> swapped = new ArrayList<>(deliveries);
            for (int i = 1; i < swapped.size(); i += 2) {
                swapped = reversed(swapped, List.of(i - 1, i));
            }
            return swapped;
        });
    }

    /** Never says that a message was seen before. */
    public static Tampering forgottenFlags() {
        return changing(deliveries -> deliveries.stream()
                .map(d -> new Delivery(d.consumer(), d.number(), d.position(), d.message(), 1, false))
                .toList());
    }

    /** Says of every message that it was seen before. */
    public static Tampering needlessFlags() {
        return changing(deliveries -> deliveries.stream()
                .map(d -> new Delivery(
                        d.consumer(), d.number(), d.position(), d.message(), Math.max(2, d.deliveryCount()), true))
                .toList());
    }

    /** Brings a message with the body of the one before. */
    public static Tampering swappedBodies() {
        return changing(deliveries -> {
            List<Delivery> swapped = new ArrayList<>();
            ByteBuffer body = ByteBuffer.allocate(0);
            for (Delivery d : deliveries) {
                Message message = d.message();
                if (message.hasStoredBody()) {
                    swapped.add(d);
                } else {
                    Message other =
                            message.toBuilder().body(message.bodyKind(), body).build();
                    body = message.body();
                    swapped.add(new Delivery(
                            d.consumer(), d.number(), d.position(), other, d.deliveryCount(), d.redelivered()));
                }
            }
            return swapped;
        });
    }

    /** Brings the first chunk of a body in place of the others. */
    public static Tampering repeatedChunks() {
        return new Tampering() {
            @Override
            public Session session(Session session) {
                return new WrappedSession(session) {
                    @Override
                    public StoredBodies bodies() {
                        return new FirstChunks(super.bodies());
                    }
                };
            }
        };
    }

    private record FirstChunks(StoredBodies real) implements StoredBodies {
        @Override
        public void start(long body, boolean persistent, Completion completion) {
            real.start(body, persistent, completion);
        }

        @Override
        public void append(long body, ByteBuffer chunk, Completion completion) {
            real.append(body, chunk, completion);
        }

        @Override
        public void open(long body, Message message, Completion completion) {
            real.open(body, message, completion);
        }

        @Override
        public void read(long body, long chunk, Consumer<ByteBuffer> reader, Completion completion) {
            real.read(body, 0, reader, completion);
        }

        @Override
        public void close(long body) {
            real.close(body);
        }
    }

    /** Counts one attempt too many for what comes again. */
    public static Tampering wrongCounts() {
        return changing(deliveries -> deliveries.stream()
                .map(d -> new Delivery(
                        d.consumer(),
                        d.number(),
                        d.position(),
                        d.message(),
                        d.deliveryCount() + (d.redelivered() ? 1 : 0),
                        d.redelivered()))
                .toList());
    }

    /** Gives credit twice. */
    public static Tampering doubledCredit() {
        return new Tampering() {
            @Override
            public Session session(Session session) {
                return new WrappedSession(session) {
                    @Override
                    public void credit(int consumer, int messages) {
                        super.credit(consumer, 2 * messages);
                    }
                };
            }
        };
    }

    /** Confirms a send before the broker has taken it. */
    public static Tampering confirmedTooEarly() {
        return new Tampering() {
            @Override
            public Session session(Session session) {
                return new WrappedSession(session) {
                    @Override
                    public void send(Send send, Completion completion) {
                        completion.done();
                        super.send(send, Completion.onFailure(completion::failed));
                    }
                };
            }
        };
    }

    /** Sends a transaction's messages outside of it. */
    public static Tampering untransactedSends() {
        return new Tampering() {
            @Override
            public Session session(Session session) {
                return new WrappedSession(session) {
                    @Override
                    public void send(Send send, Completion completion) {
                        super.send(Send.of(send.message()), completion);
                    }
                };
            }
        };
    }

    /** Forgets by what second copies are recognised. */
    public static Tampering forgottenIdentities() {
        return new Tampering() {
            @Override
            public Session session(Session session) {
                return new WrappedSession(session) {
                    @Override
                    public void send(Send send, Completion completion) {
                        super.send(send.with((DedupId) null), completion);
                    }
                };
            }
        };
    }

    /** Forgets the identifiers of commits. */
    public static Tampering forgottenCommits() {
        return new Tampering() {
            @Override
            public Session session(Session session) {
                return new WrappedSession(session) {
                    @Override
                    public void commit(long transaction, String commitId, Completion completion) {
                        super.commit(transaction, completion);
                    }
                };
            }
        };
    }

    /** Changes protocol state beside the unit of the send that carries it. */
    public static Tampering separatedState() {
        return new Tampering() {
            @Override
            public Session session(Session session) {
                return new WrappedSession(session) {
                    @Override
                    public void send(Send send, Completion completion) {
                        super.send(send.with(List.of()), completion);
                        if (!send.state().isEmpty()) {
                            changeState(send.state(), Session.NO_TRANSACTION, Completion.onFailure(cause -> {
                                throw cause;
                            }));
                        }
                    }
                };
            }
        };
    }

    private static List<Delivery> reversed(List<Delivery> deliveries, List<Integer> places) {
        List<Delivery> changed = new ArrayList<>(deliveries);
        for (int i = 0; i < places.size() / 2; i++) {
            Delivery one = changed.get(places.get(i));
            Delivery other = changed.get(places.get(places.size() - 1 - i));
            if (one.consumer() == other.consumer()) {
                changed.set(places.get(i), inPlaceOf(one, other));
                changed.set(places.get(places.size() - 1 - i), inPlaceOf(other, one));
            }
        }
        return changed;
    }

    private static Delivery inPlaceOf(Delivery place, Delivery what) {
        return new Delivery(
                place.consumer(),
                place.number(),
                what.position(),
                what.message(),
                what.deliveryCount(),
                what.redelivered());
    }

    /** Changes deliveries that come one after the other. */
    static Tampering changing(UnaryOperator<List<Delivery>> change) {
        return new Tampering() {
            @Override
            public Session session(Session session) {
                return new Changing(session, change);
            }
        };
    }

    /** Changes deliveries that come one after the other, and leaves outcomes where they are. */
    private static final class Changing extends WrappedSession {
        private final UnaryOperator<List<Delivery>> change;
        private final List<Delivery> kept = new ArrayList<>();
        private @Nullable SessionListener listener;

        Changing(Session session, UnaryOperator<List<Delivery>> change) {
            super(session);
            this.change = change;
        }

        @Override
        Completion around(Completion completion) {
            return new Completion() {
                @Override
                public void done() {
                    passOn();
                    completion.done();
                }

                @Override
                public void failed(BrokerException cause) {
                    passOn();
                    completion.failed(cause);
                }
            };
        }

        @Override
        public int drain(SessionListener to, int eventsMax) {
            listener = to;
            int taken = super.drain(
                    new SessionListener() {
                        @Override
                        public void delivery(Delivery delivery) {
                            kept.add(delivery);
                        }

                        @Override
                        public void consumerClosed(int consumer, BrokerException cause) {
                            passOn();
                            to.consumerClosed(consumer, cause);
                        }
                    },
                    eventsMax);
            passOn();
            return taken;
        }

        private void passOn() {
            List<Delivery> changed = change.apply(kept);
            kept.clear();
            if (listener != null) {
                changed.forEach(listener::delivery);
            }
        }
    }
}
