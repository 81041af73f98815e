/** The threads that work on the files of one folder, so that what they log says which. May call the JDK and slf4j. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.journal.thread;
