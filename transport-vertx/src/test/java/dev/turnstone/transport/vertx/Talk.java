package dev.turnstone.transport.vertx;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** Does what the first word says. */
final class Talk implements WireHandler {
    final AtomicInteger ends = new AtomicInteger();
    final AtomicInteger ticks = new AtomicInteger();
    final AtomicInteger lateLogins = new AtomicInteger();
    final AtomicInteger full = new AtomicInteger();
    final AtomicInteger drained = new AtomicInteger();
    // The test's thread reads it too.
    @SuppressWarnings("JdkObsolete")
    final StringBuffer heard = new StringBuffer();

    volatile Thread thread = Thread.currentThread();
    private final Wire wire;

    Talk(Wire wire) {
        this.wire = wire;
    }

    @Override
    public void received(byte[] bytes, int from, int to) {
        thread = Thread.currentThread();
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        heard.append(text);
        if (text.startsWith("finish")) {
            wire.finish(octets("goodbye"), text.contains("fault") ? Ending.FAULT : Ending.DONE);
        } else if (text.equals("echo")) {
            wire.write(octets(text), null);
        } else if (text.equals("who")) {
            wire.write(octets(String.valueOf(wire.tlsSubject())), null);
        } else if (text.equals("remote")) {
            wire.write(octets(wire.remote()), null);
        } else if (text.startsWith("much ")) {
            wire.write(octets("x".repeat(Integer.parseInt(text.substring(5)))), null);
            if (wire.full()) {
                full.incrementAndGet();
            }
        } else if (text.equals("binary")) {
            wire.write(ByteBuffer.wrap(new byte[] {(byte) 0xFF, 1}), null);
        } else if (text.equals("pause")) {
            wire.pause();
            wire.afterMs(500, wire::resume);
        } else if (text.equals("login")) {
            wire.loggedIn();
        } else if (text.equals("tick")) {
            wire.everyMs(5, ticks::incrementAndGet);
        } else if (text.equals("fault")) {
            throw new IllegalStateException("as the test wants it");
        }
    }

    @Override
    public void drained() {
        drained.incrementAndGet();
    }

    @Override
    public void loginTimedOut() {
        lateLogins.incrementAndGet();
        wire.finish(octets("too late"), Ending.FORBIDDEN);
    }

    @Override
    public void stopping() {
        wire.finish(octets("stopping"), Ending.STOPPING);
    }

    @Override
    public void closed() {
        ends.incrementAndGet();
    }

    Wire wire() {
        return wire;
    }

    private static ByteBuffer octets(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
