/** The Jakarta Messaging API over the embedded broker, beside the least that its disk could do. */
@NullMarked
package dev.turnstone.benchmarks.jms;

import org.jspecify.annotations.NullMarked;
