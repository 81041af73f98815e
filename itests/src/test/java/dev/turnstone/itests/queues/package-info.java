/** Queue semantics that are set by address, seen through the clients of all protocols. */
@NullMarked
package dev.turnstone.itests.queues;

import org.jspecify.annotations.NullMarked;
