/**
 * The product that people run: command line, configuration and the wiring of every module. Owned by the main thread.
 */
@NullMarked
package dev.turnstone.server;

import org.jspecify.annotations.NullMarked;
