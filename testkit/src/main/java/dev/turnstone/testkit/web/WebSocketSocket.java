package dev.turnstone.testkit.web;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;

/**
 * The bytes of messages over a WebSocket as those of a socket: each write is a message, all of them text or all of them
 * binary. A close frame is the end of what comes in.
 */
public final class WebSocketSocket extends Socket {
    private final WebSocketPeer peer;
    private final boolean text;
    private int timeoutMs = Integer.MAX_VALUE;
    private byte[] pending = {};
    private int at;
    private boolean ended;

    /** The socket over a WebSocket that is open. */
    public WebSocketSocket(WebSocketPeer peer, boolean text) {
        this.peer = peer;
        this.text = text;
    }

    @Override
    public synchronized void setSoTimeout(int ms) {
        timeoutMs = ms == 0 ? Integer.MAX_VALUE : ms;
    }

    @Override
    public InputStream getInputStream() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                return receive(into, offset, length);
            }
        };
    }

    private int receive(byte[] into, int offset, int length) throws IOException {
        while (at == pending.length) {
            if (ended) {
                return -1;
            }
            next();
        }
        int count = Math.min(length, pending.length - at);
        System.arraycopy(pending, at, into, offset, count);
        at += count;
        return count;
    }

    private void next() throws IOException {
        WebSocketFrame frame;
        try {
            frame = peer.read(Duration.ofMillis(timeoutMs));
        } catch (EOFException e) {
            ended = true;
            return;
        }
        if (frame.opcode() == WebSocketFrame.CLOSE) {
            ended = true;
            peer.frame(WebSocketFrame.FIN | WebSocketFrame.CLOSE, frame.payload());
        } else if (frame.opcode() <= WebSocketFrame.BINARY) {
            pending = frame.payload();
            at = 0;
        }
    }

    @Override
    public OutputStream getOutputStream() {
        return new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                write(new byte[] {(byte) octet}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                byte[] payload = Arrays.copyOfRange(bytes, offset, offset + length);
                int kind = text ? WebSocketFrame.TEXT : WebSocketFrame.BINARY;
                peer.frame(WebSocketFrame.FIN | kind, payload);
            }
        };
    }

    @Override
    public synchronized void close() throws IOException {
        peer.close();
    }
}
