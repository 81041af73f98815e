package dev.turnstone.testkit.contract;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** The engine on a simulated journal keeps the port's contract. */
class SimulatedBrokerContractTest {
    @Nested
    class Sends extends SendContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class Deliveries extends DeliveryContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class Settles extends SettleContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class DeadLetters extends DeadLetterContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class HandOvers extends HandOverContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class Transactions extends TransactionContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class States extends StateContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class Once extends OnceContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class BranchStates extends BranchStateContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class Branches extends BranchContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class Subscriptions extends SubscriptionContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class Destinations extends DestinationContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class Connections extends ConnectionContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class Limits extends LimitContract {
        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            return new SimulatedHost(limits);
        }
    }

    @Nested
    class LargeBodies extends LargeBodyContract {
        private SimulatedHost host;

        @Override
        protected BrokerHost start(Path folder, Map<String, String> limits) {
            host = new SimulatedHost(limits);
            return host;
        }

        @Override
        protected int chunksKept() {
            return host.chunks();
        }
    }
}
