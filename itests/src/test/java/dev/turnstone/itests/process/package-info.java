/** The broker as a process of its own, as a user starts it: what it prints, how it ends, what it refuses. */
@NullMarked
package dev.turnstone.itests.process;

import org.jspecify.annotations.NullMarked;
