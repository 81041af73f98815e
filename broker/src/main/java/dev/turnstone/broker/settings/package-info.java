/**
 * What users set for queues and topics, by patterns of their addresses: values, which any thread may read and nobody
 * changes. Calls nothing but the port.
 */
@NullMarked
package dev.turnstone.broker.settings;

import org.jspecify.annotations.NullMarked;
