/**
 * {@code turnstone demo --all}: one message through all doors, exactly once, while the broker's process is killed. The
 * parent process has the clients and counts; the child has the broker and the worker. Not part of the product: its
 * class path has what an application brings, a transaction manager, a database and an MQTT client.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.demo;
