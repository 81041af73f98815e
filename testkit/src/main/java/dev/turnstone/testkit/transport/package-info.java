/**
 * What listeners promise for every protocol and whatever carries it, as JUnit tests: a protocol's module extends
 * {@link dev.turnstone.testkit.transport.TransportContract} and says how the protocol asks and answers.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.testkit.transport;
