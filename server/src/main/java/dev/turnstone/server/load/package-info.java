/** {@code turnstone demo} and {@code turnstone perf}: clients that put load on a broker, as applications do. */
@NullMarked
package dev.turnstone.server.load;

import org.jspecify.annotations.NullMarked;
