/**
 * Page files: bytes that were moved out of memory, each page one file under an identifier of the caller's. What they
 * mean is the caller's matter. {@link dev.turnstone.journal.page.PageStore} says who may call what from which thread.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.journal.page;
