package dev.turnstone.transport.openwire.codec;

import java.io.IOException;
import org.apache.activemq.command.Command;
import org.apache.activemq.command.DataStructure;
import org.apache.activemq.command.WireFormatInfo;
import org.apache.activemq.openwire.OpenWireFormat;
import org.apache.activemq.util.ByteSequence;

/**
 * Commands from bytes and bytes from commands, as the two sides of one connection have agreed; before that in the form
 * in which everybody says hello. ActiveMQ's formats do the work: one reads, behind a guard, one writes. One thread.
 */
public final class WireCodec {
    /** The versions that the library speaks. */
    private static final int VERSION_MIN = 9;

    private static final int VERSION_MAX = 12;
    /** With less the library's format never finds room in its cache, and looks for it for ever. */
    private static final int CACHE_MIN = 100;

    private static final int CACHE = 1024;
    private static final long START_MS_MAX = 60_000;

    private final OpenWireFormat reading = new OpenWireFormat(VERSION_MAX);
    private final OpenWireFormat writing = new OpenWireFormat(VERSION_MAX);
    private final GuardedMarshallers guard = new GuardedMarshallers();
    private final int frameBytesMax;
    private final long inactivityMs;

    /**
     * A codec for a connection that nothing was said on.
     *
     * @param frameBytesMax the largest frame that either side may send
     * @param inactivityMs what the broker proposes: for how long a side may say nothing; 0 for ever
     */
    public WireCodec(int frameBytesMax, long inactivityMs) {
        this.frameBytesMax = frameBytesMax;
        this.inactivityMs = inactivityMs;
        reading.setMaxFrameSize(frameBytesMax);
        guard.guard(reading);
    }

    /** What the broker says of itself. */
    public WireFormatInfo hello() {
        WireFormatInfo info = new WireFormatInfo();
        info.setVersion(VERSION_MAX);
        try {
            info.setCacheEnabled(true);
            info.setCacheSize(CACHE);
            info.setTightEncodingEnabled(true);
            // An exception's class and text say enough; its trace would tell a peer about the broker's inside.
            info.setStackTraceEnabled(false);
            info.setTcpNoDelayEnabled(true);
            info.setSizePrefixDisabled(false);
            info.setMaxInactivityDuration(inactivityMs);
            info.setMaxInactivityDurationInitalDelay(inactivityMs);
            info.setMaxFrameSize(frameBytesMax);
            info.setProviderName("Turnstone");
        } catch (IOException e) {
            throw new IllegalStateException("a new hello has no properties that could be unreadable", e);
        }
        return info;
    }

    /**
     * Goes on in the form that both sides can.
     *
     * @return for how long a side may say nothing, milliseconds; 0 for ever
     * @throws OpenWireException if there is none
     */
    public long agree(WireFormatInfo peer) {
        if (!peer.isValid()) {
            throw new OpenWireException("the peer's hello is not OpenWire's");
        }
        if (peer.getVersion() < VERSION_MIN) {
            throw new OpenWireException("the peer speaks OpenWire " + peer.getVersion() + "; versions " + VERSION_MIN
                    + " to " + VERSION_MAX + " are spoken here");
        }
        try {
            int cache = peer.getCacheSize();
            if (peer.isCacheEnabled() && cache != 0 && cache < CACHE_MIN) {
                throw new OpenWireException(
                        "the peer's cache of " + cache + " entries is too small to be used; cacheSize is at least "
                                + CACHE_MIN + ", or 0 for the usual");
            }
            long theirs = peer.getMaxInactivityDuration();
            agree(reading, peer);
            // The peer says how large a frame it takes, not how large a frame it may send.
            reading.setMaxFrameSize(frameBytesMax);
            guard.guard(reading);
            agree(writing, peer);
            return Math.max(0, Math.min(theirs, inactivityMs));
        } catch (IOException | RuntimeException e) {
            throw refusal("the peer's hello", e);
        }
    }

    /** How long the peer may take, by its hello, until it begins never to be silent; milliseconds. */
    public long startMs(WireFormatInfo peer) {
        try {
            return Math.max(0, Math.min(START_MS_MAX, peer.getMaxInactivityDurationInitalDelay()));
        } catch (IOException e) {
            throw refusal("the peer's hello", e);
        }
    }

    private void agree(OpenWireFormat format, WireFormatInfo peer) throws IOException {
        format.setPreferedWireFormatInfo(hello());
        format.renegotiateWireFormat(peer);
    }

    /** The version that is spoken. */
    public int version() {
        return writing.getVersion();
    }

    /** The largest frame that the peer takes. */
    public long peerFrameBytesMax() {
        return writing.getMaxFrameSize();
    }

    /**
     * The command in a frame.
     *
     * @throws OpenWireException if there is none, or one that no client may send
     */
    public Command decode(ByteSequence frame) {
        try {
            if (reading.unmarshal(frame) instanceof Command command) {
                return command;
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            // The library asserts that a command has all its flags.
            throw refusal("a frame of " + frame.getLength() + " bytes", e);
        }
        throw new OpenWireException("a frame without a command");
    }

    private static OpenWireException refusal(String what, Throwable cause) {
        return cause instanceof OpenWireException known
                ? known
                : new OpenWireException(what + " cannot be read: " + cause, cause);
    }

    /**
     * The frame of a command.
     *
     * @throws OpenWireException if it is larger than the peer takes
     */
    public ByteSequence encode(DataStructure command) {
        try {
            ByteSequence frame = writing.marshal(command);
            if (frame.getLength() - Integer.BYTES > writing.getMaxFrameSize()) {
                throw new OpenWireException(
                        "a frame of " + frame.getLength() + " bytes, and the peer takes " + writing.getMaxFrameSize());
            }
            return frame;
        } catch (IOException e) {
            throw new OpenWireException("cannot be written: " + e.getMessage(), e);
        }
    }
}
