package dev.turnstone.broker.session;

import dev.turnstone.broker.dedup.Fingerprints;
import dev.turnstone.broker.dedup.SentId;
import dev.turnstone.broker.mailbox.Channel;
import dev.turnstone.port.Address;
import dev.turnstone.port.Branches;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.CommitOutcome;
import dev.turnstone.port.Completion;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.HandOver;
import dev.turnstone.port.OutcomeQuery;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.Settle;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StatePage;
import dev.turnstone.port.StateQuery;
import dev.turnstone.port.StoredBodies;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The edge's side of a session: collects commands, posts them together, hands events out. Its owner's thread only. */
final class EdgeSession implements Session {
    private static final int LEAST = 4;
    private static final Command[] NONE = {};

    /** One post holds at most so many commands, so that a turn of the engine is bounded. */
    private static final int POST_COMMANDS = 512;

    /** One post holds at most so many bytes of messages, or one message. */
    private static final long POST_BYTES = 1 << 20;

    private final SessionState state;
    private final Channel channel;
    private Command[] collected = NONE;
    private int first;
    private int end;
    private boolean refused;
    private boolean closed;
    /** Null before the first body that is too large for its message; most of what is null here stays so. */
    private @Nullable LargeSends large;

    private @Nullable Handed handed;
    private boolean keepsDeliveries;
    private @Nullable Fingerprints fingerprints;

    EdgeSession(SessionState state, Channel channel) {
        this.state = state;
        this.channel = channel;
    }

    @Override
    public void send(Send send, Completion completion) {
        DedupId dedup = send.dedup();
        SentId id = dedup == null ? null : fingerprints().of(send.message().address(), dedup);
        if (LargeSends.takes(send.message(), state.limits())) {
            large().send(send, id, completion);
        } else {
            collect(new Command.SendMessage(send, id, completion));
        }
    }

    private LargeSends large() {
        LargeSends made = large;
        if (made == null) {
            made = new LargeSends(state.limits(), this::collect);
            large = made;
        }
        return made;
    }

    private Fingerprints fingerprints() {
        Fingerprints made = fingerprints;
        if (made == null) {
            made = new Fingerprints();
            fingerprints = made;
        }
        return made;
    }

    @Override
    public void subscribe(Subscribe subscribe, Completion completion) {
        collect(new Command.AddConsumer(subscribe, completion));
    }

    @Override
    public void credit(int consumer, int messages) {
        collect(new Command.GiveCredit(consumer, messages));
    }

    @Override
    public void keepsDeliveries() {
        keepsDeliveries = true;
    }

    @Override
    public void taken(int consumer, long bytes) {
        channel.tell(() -> {
            state.taken(consumer, bytes);
            return 1;
        });
    }

    @Override
    public void settle(Settle settle, Completion completion) {
        collect(new Command.SettleDeliveries(settle, completion));
    }

    @Override
    public void handOver(HandOver handOver, Completion completion) {
        if (!(handOver.to() instanceof EdgeSession other)) {
            throw new IllegalArgumentException("not a session of this broker: " + handOver.to());
        }
        collect(new Command.HandOverDeliveries(handOver, other.state, completion));
    }

    @Override
    public void recall(int consumer, long lastSeen, Completion completion) {
        collect(new Command.Recall(consumer, lastSeen, completion));
    }

    @Override
    public void unsubscribe(int consumer, long lastSeen, Completion completion) {
        collect(new Command.RemoveConsumer(consumer, lastSeen, completion));
    }

    @Override
    public void watchQueues(int watch, Address pattern, Completion completion) {
        collect(new Command.WatchQueues(watch, pattern, completion));
    }

    @Override
    public void endWatch(int watch) {
        collect(new Command.EndWatch(watch));
    }

    @Override
    public void changeQueue(QueueChange change, Completion completion) {
        collect(new Command.ChangeQueue(change, completion));
    }

    @Override
    public void deleteSubscription(SubscriptionName subscription, Completion completion) {
        collect(new Command.DeleteSubscription(subscription, completion));
    }

    @Override
    public void declareTemporary(Address temporary, Completion completion) {
        collect(new Command.DeclareTemporary(temporary, completion));
    }

    @Override
    public void deleteTemporary(Address temporary, Completion completion) {
        collect(new Command.DeleteTemporary(temporary, completion));
    }

    @Override
    public void deleteQueue(Address queue, Completion completion) {
        collect(new Command.DeleteQueue(queue, completion));
    }

    @Override
    public void changeState(List<StateChange> changes, long transaction, Completion completion) {
        collect(new Command.ChangeState(List.copyOf(changes), transaction, completion));
    }

    @Override
    public void listState(StateQuery query, Consumer<StatePage> page, Completion completion) {
        collect(new Command.ListState(query, page, completion));
    }

    @Override
    public void begin(long transaction, Completion completion) {
        collect(new Command.Begin(transaction, completion));
    }

    @Override
    public void commit(long transaction, Completion completion) {
        collect(new Command.Commit(transaction, null, completion));
    }

    @Override
    public void commit(long transaction, String commitId, Completion completion) {
        collect(new Command.Commit(transaction, fingerprints().ofCommit(commitId), completion));
    }

    @Override
    public void outcome(OutcomeQuery query, Consumer<CommitOutcome> answer, Completion completion) {
        collect(new Command.AskOutcome(query, fingerprints().ofCommit(query.commitId()), answer, completion));
    }

    @Override
    public void rollback(long transaction, Completion completion) {
        collect(new Command.Rollback(transaction, completion));
    }

    @Override
    public Branches branches() {
        return new EdgeBranches(this::collect);
    }

    @Override
    public StoredBodies bodies() {
        return new EdgeBodies(this::collect);
    }

    @Override
    public void sync(Completion completion) {
        collect(new Command.Sync(completion));
    }

    @Override
    public void close(Completion completion) {
        collect(new Command.Close(completion));
        closed = true;
        flush();
    }

    private void collect(Command command) {
        if (closed) {
            throw new BrokerException(ErrorCode.CLOSED, "the session is closed");
        }
        if (end == collected.length) {
            makeRoom();
        }
        collected[end++] = command;
    }

    private void makeRoom() {
        if (collected.length == 0) {
            collected = new Command[LEAST];
            return;
        }
        if (first < end / 2) {
            collected = Arrays.copyOf(collected, 2 * end);
            return;
        }
        // A session that is always a little behind must not drag along what it has posted.
        System.arraycopy(collected, first, collected, 0, end - first);
        Arrays.fill(collected, end - first, end, null);
        end -= first;
        first = 0;
    }

    /** How many commands it has room for without growing. */
    int room() {
        return collected.length;
    }

    @Override
    public void flush() {
        refused = false;
        while (first < end) {
            int to = first;
            long bytes = 0;
            while (to < end && to - first < POST_COMMANDS) {
                long more = bytes(collected[to]);
                if (bytes > 0 && bytes + more > POST_BYTES) {
                    break;
                }
                bytes += more;
                to++;
            }
            if (!post(to, bytes)) {
                refused = true;
                return;
            }
        }
    }

    private boolean post(int to, long bytes) {
        boolean everything = first == 0 && to == end;
        int count = to - first;
        Command[] commands = everything ? collected : Arrays.copyOfRange(collected, first, to);
        if (!channel.post(new Post(state, commands, count, bytes), count, bytes)) {
            return false;
        }
        if (everything) {
            // They are the engine's now.
            collected = end <= LEAST ? NONE : new Command[Math.min(POST_COMMANDS, end)];
        } else {
            Arrays.fill(collected, first, to, null);
        }
        first = to;
        if (first == end) {
            first = 0;
            end = 0;
        }
        return true;
    }

    private static long bytes(Command command) {
        if (command instanceof BodyCommand.Append append) {
            return append.chunk().remaining();
        }
        return command instanceof Command.SendMessage send
                ? send.send().message().encodedBytes()
                        + StateChange.valueBytes(send.send().state())
                : 0;
    }

    @Override
    public boolean writable() {
        return !refused && channel.writable();
    }

    @Override
    public int drain(SessionListener listener, int eventsMax) {
        if (refused) {
            flush();
        }
        int count = 0;
        while (count < eventsMax) {
            Object event = channel.next();
            if (event == null) {
                return count;
            }
            count++;
            if (event instanceof Delivery delivery) {
                listener.delivery(delivery);
                handedOut(delivery);
            } else if (event instanceof Completion completion) {
                completion.done();
            } else {
                ((Event) event).tell(listener);
            }
        }
        return count;
    }

    private void handedOut(Delivery delivery) {
        if (keepsDeliveries) {
            return;
        }
        Handed known = handed;
        if (known == null) {
            known = new Handed(this::taken);
            handed = known;
        }
        known.add(delivery.consumer(), delivery.message().encodedBytes());
    }
}
