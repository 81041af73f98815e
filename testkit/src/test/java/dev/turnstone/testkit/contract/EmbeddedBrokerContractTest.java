package dev.turnstone.testkit.contract;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** The embedded broker on files keeps the port's contract. */
class EmbeddedBrokerContractTest {
    @Nested
    class Sends extends SendContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class Deliveries extends DeliveryContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class Settles extends SettleContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class DeadLetters extends DeadLetterContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class HandOvers extends HandOverContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class Transactions extends TransactionContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class States extends StateContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class Once extends OnceContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class BranchStates extends BranchStateContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class Branches extends BranchContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class Subscriptions extends SubscriptionContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class Destinations extends DestinationContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class Connections extends ConnectionContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class Limits extends LimitContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new EmbeddedHost(folder, limits);
        }
    }

    @Nested
    class LargeBodies extends LargeBodyContract {
        private EmbeddedHost host;

        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            host = new EmbeddedHost(folder, limits);
            return host;
        }

        @Override
        protected int chunksKept() {
            return host.chunks();
        }
    }
}
