package dev.turnstone.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Writes what commands print for programs: one line. */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** Writes something. */
    interface Content {
        void write(JsonGenerator writer) throws IOException;
    }

    /** Writes the fields of one element. */
    interface Fields<T> {
        void write(JsonGenerator writer, T element) throws IOException;
    }

    static String text(Content content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator writer = FACTORY.createGenerator(text)) {
            content.write(writer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** A field that is an array of objects. */
    static <T> void array(JsonGenerator writer, String name, Iterable<T> elements, Fields<T> fields)
            throws IOException {
        writer.writeArrayFieldStart(name);
        for (T element : elements) {
            writer.writeStartObject();
            fields.write(writer, element);
            writer.writeEndObject();
        }
        writer.writeEndArray();
    }
}
