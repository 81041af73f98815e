package dev.turnstone.server;

import picocli.CommandLine.Option;

/** The option of every command that prints data. */
final class JsonOption {
    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    boolean wanted() {
        return json;
    }
}
