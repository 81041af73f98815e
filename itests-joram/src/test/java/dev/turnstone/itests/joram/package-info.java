/**
 * Runs the JORAM conformance suite, relocated from {@code javax.jms} to {@code jakarta.jms} by this module's build,
 * against a broker in this JVM. One test at a time.
 */
@NullMarked
package dev.turnstone.itests.joram;

import org.jspecify.annotations.NullMarked;
