package dev.turnstone.broker.session;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.store.Few;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The consumers of one session by number. Owned by the engine thread. */
final class Consumers {
    private Map<Integer, Attached> byNumber = Map.of();
    /** The last one looked up: most sessions have one, and no lookup should box its number. */
    private @Nullable Attached last;

    private final int max;

    Consumers(int max) {
        this.max = max;
    }

    /** Refuses a consumer whose number is taken, or that would be one too many. */
    void checkRoomFor(int number) {
        BrokerException refusal = refusal(number);
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Why there cannot be a consumer of this number; null if there can. */
    @Nullable
    BrokerException refusal(int number) {
        if (find(number) != null) {
            return new BrokerException(
                    ErrorCode.DUPLICATE_CONSUMER, "the session has a consumer " + number + " already");
        }
        return byNumber.size() < max
                ? null
                : new BrokerException(
                        ErrorCode.LIMIT_EXCEEDED,
                        "the session has " + max + " consumers already (" + Limit.CONSUMERS_MAX.setting() + ")");
    }

    @Nullable
    Attached find(int number) {
        Attached recent = last;
        if (recent != null && recent.consumer().number() == number) {
            return recent;
        }
        Attached found = byNumber.get(number);
        if (found != null) {
            last = found;
        }
        return found;
    }

    Attached get(int number) {
        Attached found = find(number);
        if (found == null) {
            throw new BrokerException(
                    ErrorCode.NO_SUCH_CONSUMER, "there is no consumer " + number + " in this session");
        }
        return found;
    }

    void add(Attached attached) {
        byNumber = Few.with(byNumber, attached.consumer().number(), attached);
    }

    void remove(int number) {
        byNumber = Few.without(byNumber, number);
        last = null;
    }

    Collection<Attached> all() {
        return byNumber.values();
    }

    void clear() {
        byNumber = Map.of();
        last = null;
    }
}
