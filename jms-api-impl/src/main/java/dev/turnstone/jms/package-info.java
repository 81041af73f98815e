/**
 * Jakarta Messaging 3.1 over the port: a program makes a {@link dev.turnstone.jms.TurnstoneConnectionFactory} and sees
 * {@code jakarta.jms} interfaces from there on.
 *
 * <p>Each session has one port session, guarded by one lock in {@code SessionLink}. The thread that waits is the thread
 * that drains: the application's in a blocking call, the session's {@code Dispatcher} when it has listeners, its
 * {@code Callbacks} thread when it sends asynchronously. All threads started here are daemons. Application code never
 * runs under the lock.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.jms;
