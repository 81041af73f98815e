/** ActiveMQ's own client, unchanged, against the broker. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.itests.openwire;
