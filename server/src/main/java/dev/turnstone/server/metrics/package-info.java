/** What a broker says about its health and its work over HTTP. Any thread; nothing here waits for the engine. */
@NullMarked
package dev.turnstone.server.metrics;

import org.jspecify.annotations.NullMarked;
