/**
 * The Jakarta Messaging API as an application sees it. Every test asks for a {@link jakarta.jms.ConnectionFactory} and
 * knows nothing else of the broker, so that any of our clients can be put under it.
 */
@NullMarked
package dev.turnstone.itests.jms;

import org.jspecify.annotations.NullMarked;
