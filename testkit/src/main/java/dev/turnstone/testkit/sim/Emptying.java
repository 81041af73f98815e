package dev.turnstone.testkit.sim;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.port.Address;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Send;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.testkit.model.Violation;
import java.util.List;
import java.util.Set;

/**
 * The end of a run: what nobody consumes is deleted, and what is only remembered for a while forgotten. Then a broker
 * has no more than one that is new: nothing in memory, no record, no file. One thread.
 */
final class Emptying {
    /** Where what is rejected goes by default, which the model does not look into. */
    private static final Address REJECTED = Address.queue("DLQ");
    /** Positions stay reserved. */
    private static final Set<Byte> STAYING = Set.of(RecordType.ID_BLOCK.code());
    /** Identities are in two generations, and a turn forgets one. */
    private static final int HORIZONS = 4;

    private final World world;
    private final SimulatedBroker broker;

    Emptying(World world) {
        this.world = world;
        this.broker = world.broker;
    }

    /** All messages were consumed. Ends all connections, these subscriptions and what these topics retain. */
    void run(List<SubscriptionName> subscriptions, List<Address> topics) {
        world.leave();
        world.carried.eraseMarks();
        for (SubscriptionName name : subscriptions) {
            try (Operator operator = new Operator(broker, name.clientId())) {
                operator.session().deleteSubscription(name, Operator.grantedUnless(ErrorCode.NO_SUCH_SUBSCRIPTION));
                operator.run();
            }
        }
        try (Operator operator = new Operator(broker, null)) {
            for (Address kept : List.of(REJECTED, Features.NOTICES, Features.VIRTUAL)) {
                operator.session().deleteQueue(kept, Operator.grantedUnless(ErrorCode.INVALID_ADDRESS));
                operator.run();
            }
            for (Address topic : topics) {
                operator.session()
                        .send(Send.of(MessageBuilder.to(topic).retain(true).build()), Operator.granted());
            }
            operator.run();
        }
        for (int i = 0; i < HORIZONS; i++) {
            broker.pass(Limits.DEFAULTS.of(Limit.DEDUP_HORIZON_MS) + 1);
            broker.runAndSync();
        }
        deleteChunks();
        check();
    }

    /** Of bodies that nobody holds, some chunks are deleted at a time. */
    private void deleteChunks() {
        long left = Long.MAX_VALUE;
        while (broker.pages().chunkCount() < left) {
            left = broker.pages().chunkCount();
            broker.pass(1);
            broker.runAndSync();
        }
    }

    private void check() {
        none(broker.memoryUsed(), "bytes of memory");
        none(broker.pages().chunkCount(), "chunks of bodies");
        none(broker.pages().fileCount(), "pages");
        broker.recordCounts().forEach((type, count) -> none(STAYING.contains(type) ? 0 : count, "records of " + type));
    }

    private static void none(long left, String what) {
        if (left != 0) {
            throw new Violation(Violation.Promise.KEPT, left + " " + what + " are left, and no message");
        }
    }
}
