/**
 * The contract of the port as JUnit tests: abstract classes, one per concern, that run against any
 * {@link dev.turnstone.port.Broker}. A concrete test gives a {@link dev.turnstone.testkit.contract.BrokerHost}; tests
 * speak through {@link dev.turnstone.testkit.contract.Peer}. The test's thread owns everything here.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.testkit.contract;
