package dev.turnstone.journal.page;

import dev.turnstone.journal.Payload;
import dev.turnstone.journal.file.BlockFile;
import dev.turnstone.journal.file.FileLayer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The folder of the page files: one file for each page, named by its identifier. Any thread, one for each file. */
final class PageFolder {
    private static final String SUFFIX = ".page";
    private static final int DIGITS = 16;
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{" + DIGITS + "}\\" + SUFFIX);

    private final Path path;
    private final FileLayer files;

    PageFolder(Path path, FileLayer files) {
        this.path = path;
        this.files = files;
    }

    Path path() {
        return path;
    }

    private Path file(long id) {
        return path.resolve(String.format(Locale.ROOT, "%016x", id) + SUFFIX);
    }

    long[] find() throws IOException {
        List<String> names = files.list(path);
        return names.stream()
                .filter(name -> NAME.matcher(name).matches())
                .mapToLong(name -> Long.parseUnsignedLong(name.substring(0, DIGITS), 16))
                .toArray();
    }

    int check(long id) throws IOException {
        Path file = file(id);
        if (!files.exists(file)) {
            throw PageHeader.corrupt(file, "is missing");
        }
        try (BlockFile open = files.open(file)) {
            return header(open, id, file).length();
        }
    }

    /** True if a file has the length that its header says, whatever else is wrong with it. */
    boolean isWhole(long id) throws IOException {
        try (BlockFile open = files.open(file(id))) {
            ByteBuffer header = ByteBuffer.allocate(PageHeader.BYTES);
            return open.read(header, 0) == PageHeader.BYTES
                    && open.size() == PageHeader.BYTES + (long) PageHeader.length(header.flip());
        }
    }

    long size(long id) throws IOException {
        return files.size(file(id));
    }

    private static PageHeader header(BlockFile open, long id, Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PageHeader.BYTES);
        open.read(bytes, 0);
        return PageHeader.read(bytes.flip(), id, open.size(), file);
    }

    /** Writes the file; the caller syncs the folder if that is wanted. */
    void write(long id, Payload content, boolean sync) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PageHeader.BYTES + content.sizeBytes());
        content.writeTo(bytes.position(PageHeader.BYTES));
        ByteBuffer written = bytes.slice(PageHeader.BYTES, content.sizeBytes());
        new PageHeader(id, content.sizeBytes(), PageHeader.checksum(written)).writeTo(bytes.position(0));
        Path file = file(id);
        // What a crash left behind under an identifier that nobody can have named yet.
        files.delete(file);
        try (BlockFile open = files.open(file)) {
            open.write(bytes.clear(), 0);
            if (sync) {
                open.sync();
            }
        }
    }

    ByteBuffer read(long id) throws IOException {
        Path file = file(id);
        if (!files.exists(file)) {
            throw PageHeader.corrupt(file, "is missing");
        }
        try (BlockFile open = files.open(file)) {
            PageHeader header = header(open, id, file);
            ByteBuffer content = ByteBuffer.allocate(header.length());
            open.read(content, PageHeader.BYTES);
            content.flip();
            header.check(content, file);
            return content;
        }
    }

    void delete(long id) throws IOException {
        files.delete(file(id));
    }

    void sync() throws IOException {
        files.syncFolder(path);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
