package dev.turnstone.transport.vertx;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file that a TLS setting names.
 *
 * @param setting where it is named, such as {@code stomp listener: tls.key}
 * @param path the file; relative to the folder that the broker runs in
 */
record TlsFile(String setting, Path path) {
    /**
     * What it holds.
     *
     * @throws BrokerException INVALID_CONFIGURATION if it cannot be read
     */
    byte[] bytes() {
        try {
            return Files.readAllBytes(path);
        } catch (NoSuchFileException e) {
            throw refused("there is no such file", e);
        } catch (AccessDeniedException e) {
            throw refused("may not be read", e);
        } catch (IOException e) {
            throw refused("cannot be read: " + e.getMessage(), e);
        }
    }

    /** Its text. PEM is ASCII; what else there is cannot be mistaken for it. */
    String text() {
        return new String(bytes(), StandardCharsets.ISO_8859_1);
    }

    /** Its first line, taken as UTF-8; empty if there is none. */
    String firstLine() {
        return new String(bytes(), StandardCharsets.UTF_8).lines().findFirst().orElse("");
    }

    BrokerException refused(String why) {
        return new BrokerException(ErrorCode.INVALID_CONFIGURATION, message(why));
    }

    BrokerException refused(String why, Throwable cause) {
        return new BrokerException(ErrorCode.INVALID_CONFIGURATION, message(why), cause);
    }

    private String message(String why) {
        return setting + ": " + path + ": " + why;
    }
}
