/**
 * A JNDI directory of connection factories, queues and topics that are written in {@code jndi.properties}. It is
 * read-only and holds no connection; any thread may use it.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.jms.jndi;
