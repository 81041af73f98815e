package dev.turnstone.jms;

import jakarta.jms.MessageFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The classes that object messages may bring into this JVM: none but strings, unless {@code object.allow} names more.
 * Deserialising a class runs its code, and who sends decides which, so nothing is allowed that nobody asked for.
 * Immutable; any thread.
 */
final class AllowedClasses {
    /** The parameter of the factory's URL. */
    static final String SETTING = "object.allow";

    /** None but strings. */
    static final AllowedClasses NONE = matching("");

    /** What others extend or collect, which no object is of: arrays of Object, numbers and enumerations name them. */
    private static final String ALWAYS = "java.lang.Object;java.lang.Number;java.lang.Enum;";

    private final String patterns;
    private final ObjectInputFilter filter;

    private AllowedClasses(String patterns) {
        this.patterns = patterns;
        filter = ObjectInputFilter.Config.createFilter(ALWAYS + patterns + "!*");
    }

    /**
     * Those that match one of the patterns: a class name, {@code package.*} for a package or {@code package.**} for all
     * below it, separated by commas.
     *
     * @throws IllegalArgumentException if one is no pattern
     */
    static AllowedClasses matching(String patterns) {
        String all = Arrays.stream(patterns.split(","))
                .map(String::strip)
                .filter(pattern -> !pattern.isEmpty())
                .map(pattern -> checked(pattern) + ";")
                .collect(Collectors.joining());
        return new AllowedClasses(all);
    }

    private static String checked(String pattern) {
        // The JDK's filters know more, such as exclusions and limits; here a pattern only ever allows.
        if (!pattern.matches("[\\p{javaJavaIdentifierPart}.]+(\\*{0,2})")) {
            throw new IllegalArgumentException("'" + pattern + "' names no classes");
        }
        return pattern;
    }

    byte[] serialise(Serializable object) throws MessageFormatException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
            output.writeObject(object);
        } catch (IOException e) {
            throw failure("the object cannot be serialised: " + e.getMessage(), e);
        }
        return bytes.toByteArray();
    }

    Serializable deserialise(ByteBuffer body) throws MessageFormatException {
        Gate gate = new Gate(filter);
        try (Input input = new Input(new BodyInput(body))) {
            input.setObjectInputFilter(gate);
            return (Serializable) input.readObject();
        } catch (IOException | ClassNotFoundException | ClassCastException e) {
            throw failure(
                    gate.refused == null
                            ? "the object cannot be deserialised: " + e
                            : gate.refused.getName() + " is not allowed by the setting " + SETTING
                                    + " of the connection factory's URL",
                    e);
        }
    }

    private static MessageFormatException failure(String text, Exception cause) {
        MessageFormatException failure = new MessageFormatException(text);
        failure.initCause(cause);
        failure.setLinkedException(cause);
        return failure;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AllowedClasses that && patterns.equals(that.patterns);
    }

    @Override
    public int hashCode() {
        return patterns.hashCode();
    }

    /** Remembers what the filter refused, which the JDK's exception does not tell. One object's reading. */
    private static final class Gate implements ObjectInputFilter {
        private final ObjectInputFilter filter;
        private @Nullable Class<?> refused;

        Gate(ObjectInputFilter filter) {
            this.filter = filter;
        }

        @Override
        public Status checkInput(FilterInfo next) {
            Status status = filter.checkInput(next);
            if (status == Status.REJECTED) {
                refused = next.serialClass();
            }
            return status;
        }
    }

    /** Finds an application's classes where the application has said, in a container too. */
    private static final class Input extends ObjectInputStream {
        Input(InputStream source) throws IOException {
            super(source);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            ClassLoader application = Thread.currentThread().getContextClassLoader();
            if (application != null) {
                try {
                    return Class.forName(description.getName(), false, application);
                } catch (ClassNotFoundException e) {
                    // Primitive types, and classes that only this library's loader sees.
                    return super.resolveClass(description);
                }
            }
            return super.resolveClass(description);
        }
    }
}
