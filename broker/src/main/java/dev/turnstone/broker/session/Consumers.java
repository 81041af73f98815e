package dev.turnstone.broker.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The consumers of one session by number. Owned by the engine thread. */
final class Consumers {
    private final Map<Integer, Attached> byNumber = new LinkedHashMap<>();
    /** The last one looked up: most sessions have one, and no lookup should box its number. */
    private @Nullable Attached last;

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
        byNumber.put(attached.consumer().number(), attached);
    }

    void remove(int number) {
        byNumber.remove(number);
        last = null;
    }

    int size() {
        return byNumber.size();
    }

    Collection<Attached> all() {
        return byNumber.values();
    }

    void clear() {
        byNumber.clear();
        last = null;
    }
}
