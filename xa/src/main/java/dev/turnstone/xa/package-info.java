/**
 * Jakarta Transactions for applications in plain Java: starts Narayana with its recovery, and lets connection factories
 * and data sources take part in the transaction of the calling thread. Uses the JMS objects and Narayana, never the
 * broker. Each class says which threads may call it.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.xa;
