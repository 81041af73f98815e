/** Kills of the broker under ActiveMQ's own client, which comes back by itself. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.itests.openwire.crash;
