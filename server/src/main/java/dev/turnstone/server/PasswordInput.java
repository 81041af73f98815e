package dev.turnstone.server;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Reads a password, never from the command line, which every process on the machine can see. */
final class PasswordInput {
    private static final Path STANDARD_INPUT = Path.of("-");

    private PasswordInput() {}

    /**
     * Asks twice, without echo; once for one that cannot be.
     *
     * @param check throws if a password cannot be
     * @throws StartException if there is no terminal, or the two differ
     */
    @SuppressWarnings("SystemConsoleNull") // On JDK 22 and later readPassword itself returns null without a terminal.
    static String fromTerminal(Consumer<String> check) {
        Console console = System.console();
        if (console == null) {
            throw new StartException("there is no terminal to ask for the password on; --password-file names a file");
        }
        return asked(prompt -> console.readPassword(prompt), check);
    }

    /** Asks by a question that answers null at the end of the input. */
    static String asked(Function<String, char @Nullable []> question, Consumer<String> check) {
        String first = answer(question, "Password: ");
        check.accept(first);
        if (!first.equals(answer(question, "Once more: "))) {
            throw new StartException("the two passwords differ");
        }
        return first;
    }

    private static String answer(Function<String, char @Nullable []> question, String prompt) {
        char[] answer = question.apply(prompt);
        if (answer == null) {
            throw new StartException("no password was given");
        }
        try {
            return new String(answer);
        } finally {
            Arrays.fill(answer, ' ');
        }
    }

    /**
     * The password of a client's user, from {@link #fromFile its file}; null if there is neither.
     *
     * @throws ParameterException if there is only one of both
     */
    static @Nullable String ofUser(@Nullable String user, @Nullable Path file, CommandLine command) {
        if (user == null && file != null) {
            throw new ParameterException(command, "--password-file goes with --user");
        } else if (user != null && file == null) {
            throw new ParameterException(command, "--user goes with --password-file");
        }
        return file == null ? null : fromFile(file);
    }

    /**
     * The first line of a file, or of the standard input if it is named {@code -}.
     *
     * @throws StartException if it cannot be read
     */
    static String fromFile(Path file) {
        try (BufferedReader in = file.equals(STANDARD_INPUT)
                ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                : Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String line = in.readLine();
            if (line == null) {
                throw new StartException(file + ": holds no password");
            }
            return line;
        } catch (NoSuchFileException e) {
            throw new StartException(file + ": there is no such file, which would hold the password", e);
        } catch (IOException e) {
            throw new StartException(file + ": the password cannot be read: " + e, e);
        }
    }
}
