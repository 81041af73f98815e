package dev.turnstone.server;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A broker in this process for as long as a command runs, in a folder of its own that goes with it. One thread.
 *
 * @param broker the broker
 * @param folder what is deleted at the end
 */
record ScratchBroker(Turnstone broker, Path folder) implements AutoCloseable {
    private static final String PREFIX = "turnstone-";

    /**
     * Starts it.
     *
     * @param within where the folder is made; null for the place of temporary files
     * @throws StartException if there can be no folder there
     */
    static ScratchBroker start(@Nullable Path within, String... listeners) throws IOException {
        Path folder;
        try {
            folder = within == null ? Files.createTempDirectory(PREFIX) : Files.createTempDirectory(within, PREFIX);
        } catch (NoSuchFileException e) {
            Object place = within == null ? System.getProperty("java.io.tmpdir") : within;
            throw new StartException(place + ": there is no such folder", e);
        } catch (IOException e) {
            throw new StartException("no folder can be made for the broker: " + e, e);
        }
        try {
            Turnstone broker = Turnstone.builder()
                    .data(folder.resolve("data"))
                    .listen(listeners)
                    .start();
            return new ScratchBroker(broker, folder);
        } catch (RuntimeException e) {
            delete(folder);
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            broker.close();
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
