/**
 * The shape that all source of this project keeps: sizes, names, comments, forbidden words. Reads the source files, not
 * the classes, and holds no state beyond one test run.
 */
@NullMarked
package dev.turnstone.itests.tidy;

import org.jspecify.annotations.NullMarked;
