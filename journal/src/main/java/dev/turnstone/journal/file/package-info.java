/**
 * The few things that a journal asks of a file system, as a seam: production uses
 * {@link dev.turnstone.journal.file.FileLayer#system}, tests put a layer under the journal that fails, or that forgets
 * what was not synced. No threads of its own; may call the JDK only.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.journal.file;
