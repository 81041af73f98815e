package dev.turnstone.testkit.contract;

import dev.turnstone.broker.limit.Limits;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** The engine on a simulated journal keeps the port's contract. */
class SimulatedBrokerContractTest {
    @Nested
    class Sends extends SendContract {
        @Override
        protected BrokerHost start(Path folder) {
            return new SimulatedHost(Limits.DEFAULTS);
        }
    }

    @Nested
    class Deliverys extends DeliveryContract {
        @Override
        protected BrokerHost start(Path folder) {
            return new SimulatedHost(Limits.DEFAULTS);
        }
    }

    @Nested
    class Settles extends SettleContract {
        @Override
        protected BrokerHost start(Path folder) {
            return new SimulatedHost(Limits.DEFAULTS);
        }
    }

    @Nested
    class Transactions extends TransactionContract {
        @Override
        protected BrokerHost start(Path folder) {
            return new SimulatedHost(Limits.DEFAULTS);
        }
    }

    @Nested
    class Subscriptions extends SubscriptionContract {
        @Override
        protected BrokerHost start(Path folder) {
            return new SimulatedHost(Limits.DEFAULTS);
        }
    }

    @Nested
    class Connections extends ConnectionContract {
        @Override
        protected BrokerHost start(Path folder) {
            return new SimulatedHost(Limits.DEFAULTS);
        }
    }
}
