/**
 * The journal on Apache ActiveMQ Artemis' journal library, driven so that one thread appends and syncs.
 *
 * <p>Threads: the engine's calls {@code load}, {@code append} and {@code close}; {@code turnstone-journal} alone
 * appends to the library, syncs and compacts in small steps; two more prepare files, reclaim and read what is
 * compacted. What is written to a file is laid out by {@link dev.turnstone.journal.artemis.Chunk}, checked by
 * {@link dev.turnstone.journal.artemis.SegmentScan}. May call the JDK, slf4j, the library and
 * {@code dev.turnstone.journal.file}.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.journal.artemis;
