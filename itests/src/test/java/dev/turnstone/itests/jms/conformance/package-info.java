/**
 * What Jakarta Messaging 3.1 asks of a provider, grouped as the specification's chapters are, against any client
 * library that a {@link Client} describes. Tests use the API alone, so that they run unchanged through every client.
 */
@NullMarked
package dev.turnstone.itests.jms.conformance;

import org.jspecify.annotations.NullMarked;
