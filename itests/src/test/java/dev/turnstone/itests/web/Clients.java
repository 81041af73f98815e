package dev.turnstone.itests.web;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the clients of others are. */
public final class Clients {
    private static final Path ROOT = Path.of(System.getProperty("project.root"));

    private Clients() {}

    /** The folder of the packages that {@code ./verify} installs. */
    public static Path packages() {
        return ROOT.resolve(".turnstone/clients/node_modules");
    }

    /** A file of an installed package. */
    public static Path installed(String file) {
        Path path = packages().resolve(file);
        if (!Files.isRegularFile(path)) {
            throw new IllegalStateException("there is no " + path + "; ./verify installs it");
        }
        return path;
    }

    /** One of our own scripts. */
    public static Path script(String name) {
        return ROOT.resolve("itests/src/test/clients").resolve(name);
    }
}
