package dev.turnstone.testkit.contract;

import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** The embedded broker on files keeps the port's contract. */
class EmbeddedBrokerContractTest {
    @Nested
    class Sends extends SendContract {
        @Override
        protected BrokerHost start(Path folder) {
            return new EmbeddedHost(folder);
        }
    }

    @Nested
    class Deliverys extends DeliveryContract {
        @Override
        protected BrokerHost start(Path folder) {
            return new EmbeddedHost(folder);
        }
    }

    @Nested
    class Settles extends SettleContract {
        @Override
        protected BrokerHost start(Path folder) {
            return new EmbeddedHost(folder);
        }
    }

    @Nested
    class Transactions extends TransactionContract {
        @Override
        protected BrokerHost start(Path folder) {
            return new EmbeddedHost(folder);
        }
    }

    @Nested
    class Subscriptions extends SubscriptionContract {
        @Override
        protected BrokerHost start(Path folder) {
            return new EmbeddedHost(folder);
        }
    }

    @Nested
    class Connections extends ConnectionContract {
        @Override
        protected BrokerHost start(Path folder) {
            return new EmbeddedHost(folder);
        }
    }
}
