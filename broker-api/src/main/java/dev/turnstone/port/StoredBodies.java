package dev.turnstone.port;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * A session's commands for bodies that are too large for one piece ({@link PortLimits#messageBytesMax}): they come and
 * go in chunks, beside their messages, and are stored once, whoever gets the message. The edge gives each body that it
 * makes or reads a number, unique within the session; the session keeps the body until {@link #close}, or its end,
 * whatever becomes of messages that have it. Completions of chunks come when the disk has done its work, beside those
 * of other commands: an edge bounds its memory by how many it has under way; beyond {@code body.chunksMax} they wait,
 * and with them what the session asks for behind them. So does a send whose body is not stored yet.
 *
 * <p>A body that an edge has in one piece anyway it may simply send: one that is larger than
 * {@link PortLimits#messageBytesMax} is stored apart by itself.
 *
 * <p>Called, and completed within {@link Session#drain}, on the session's owner thread.
 */
public interface StoredBodies {
    /**
     * Begins a body.
     *
     * @param body its number, not 0
     * @param persistent whether persistent messages may have it: its chunks are synced then
     */
    void start(long body, boolean persistent, Completion completion);

    /**
     * Adds a chunk of {@link PortLimits#chunkBytes} bytes, or fewer if it is the last. Done when it is stored. Refused
     * with MESSAGE_TOO_LARGE, and the body with it, beyond {@link PortLimits#largeBytesMax}; with DISK_FULL when there
     * is no room.
     *
     * @param chunk not changed by the caller again
     */
    void append(long body, ByteBuffer chunk, Completion completion);

    /**
     * Takes hold of the body of a message that this session was given, for reading, or for sending it on. Refused with
     * NO_SUCH_DELIVERY if nobody holds it any more.
     *
     * @param body a number for it, not 0
     * @param message a message with a stored body
     */
    void open(long body, Message message, Completion completion);

    /**
     * Reads a chunk, which the reader is given right before the completion.
     *
     * @param chunk counts from 0; each has {@link Message#storedChunkBytes} bytes, the last the rest
     */
    void read(long body, long chunk, Consumer<ByteBuffer> reader, Completion completion);

    /** The session is done with the body, complete or not. Ignored for a number that is unknown. */
    void close(long body);
}
