package dev.turnstone.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.turnstone.journal.thread.FolderThread;
import dev.turnstone.spi.AuditEvent;
import dev.turnstone.spi.AuditLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log: one JSON object a line, appended by a thread of its own. The file is opened for each batch, so it may
 * be moved away at any time. Events that come faster than the disk takes them are counted, and the count is written.
 * Any thread.
 */
public final class AuditFile implements AuditLog, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);
    private static final int WAITING_MAX = 16_384;
    private static final int BATCH_MAX = 1_024;
    private static final int TEXT_CHARS_MAX = 1_000;
    private static final long CLOSE_MS = 5_000;
    private static final JsonFactory JSON = new JsonFactory();

    private final Path path;
    private final BlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicBoolean failing = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Thread writer;

    private record Entry(Instant time, @Nullable AuditEvent event) {}

    /**
     * Appends to the file there, which is made with the first event, in a folder that exists by then.
     *
     * @param data the broker's folder, which lines of the log name
     */
    public AuditFile(Path path, Path data) {
        this.path = path;
        this.writer = FolderThread.of("turnstone-audit", data, this::write);
        writer.start();
    }

    @Override
    public void record(AuditEvent event) {
        if (!waiting.offer(new Entry(Instant.now(), event))) {
            dropped.incrementAndGet();
        }
    }

    /**
     * Appends one event and waits for it: for a program that does one thing.
     *
     * @throws IOException if it cannot be written
     */
    static void append(Path path, AuditEvent event) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        line(lines, Instant.now(), event);
        append(path, lines);
    }

    private void write() {
        List<Entry> batch = new ArrayList<>();
        boolean ending = false;
        while (!ending) {
            try {
                batch.add(waiting.take());
            } catch (InterruptedException e) {
                return;
            }
            waiting.drainTo(batch, BATCH_MAX);
            ending = batch.removeIf(entry -> entry.event() == null);
            write(batch);
            batch.clear();
        }
    }

    private void write(List<Entry> batch) {
        long lost = dropped.getAndSet(0);
        try {
            ByteArrayOutputStream lines = new ByteArrayOutputStream();
            for (Entry entry : batch) {
                if (entry.event() != null) {
                    line(lines, entry.time(), entry.event());
                }
            }
            if (lost > 0) {
                line(lines, Instant.now(), lostEvents(lost));
            }
            append(path, lines);
            failing.set(false);
        } catch (IOException e) {
            dropped.addAndGet(lost + batch.size());
            if (failing.compareAndSet(false, true)) {
                LOG.error("{}: the audit log cannot be written; events are counted until it can", path, e);
            }
        }
    }

    private static AuditEvent lostEvents(long count) {
        return new AuditEvent(
                "turnstone",
                "-",
                "-",
                null,
                "audit",
                null,
                AuditEvent.Outcome.REFUSED,
                count + " events were not written");
    }

    private static void append(Path path, ByteArrayOutputStream lines) throws IOException {
        if (lines.size() == 0) {
            return;
        }
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Path parent = path.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        boolean made = !Files.exists(path);
        try (FileChannel channel = FileChannel.open(path, options, UsersFile.ownerOnly(path))) {
            if (made) {
                UsersFile.keepOwner(path, path);
            }
            ByteBuffer bytes = ByteBuffer.wrap(lines.toByteArray());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    private static void line(ByteArrayOutputStream lines, Instant time, AuditEvent event) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(lines)) {
            json.writeStartObject();
            json.writeStringField("time", time.truncatedTo(ChronoUnit.MILLIS).toString());
            json.writeStringField("user", shortened(event.user()));
            json.writeStringField("from", event.remote());
            json.writeStringField("protocol", event.protocol());
            writeIfThere(json, "connection", event.connection());
            json.writeStringField("what", event.what());
            writeIfThere(json, "on", event.on());
            json.writeStringField("outcome", event.outcome().name().toLowerCase(Locale.ROOT));
            writeIfThere(json, "reason", event.reason());
            json.writeEndObject();
        }
        lines.writeBytes("\n".getBytes(UTF_8));
    }

    /** A stranger may call itself anything, and at any length. */
    private static String shortened(String text) {
        return text.length() > TEXT_CHARS_MAX ? text.substring(0, TEXT_CHARS_MAX) + "..." : text;
    }

    private static void writeIfThere(JsonGenerator json, String name, @Nullable String value) throws IOException {
        if (value != null) {
            json.writeStringField(name, shortened(value));
        }
    }

    /** True while the file cannot be written. */
    boolean failing() {
        return failing.get();
    }

    /** Writes what waits and ends. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        try {
            waiting.put(new Entry(Instant.now(), null));
            writer.join(CLOSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
