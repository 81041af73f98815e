package dev.turnstone.server.config;

import dev.turnstone.spi.ByteSize;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes values of texts. What cannot be one is an IllegalArgumentException that says what would be. */
final class Convert {
    /** The unit of amounts that may be written with KiB and so on. */
    static final String BYTES = "bytes";

    private static final String PARSE = "parse";

    private Convert() {}

    /** The value of a component that takes one. */
    static Object value(String name, Class<?> type, Setting about, String text) {
        if (type == boolean.class) {
            return yesOrNo(text);
        } else if (type == int.class || type == long.class) {
            long least = type == int.class ? Math.max(Integer.MIN_VALUE, about.least()) : about.least();
            long most = type == int.class ? Math.min(Integer.MAX_VALUE, about.most()) : about.most();
            long number = number(name, about.bytes() ? BYTES : "", text, least, most);
            return type == int.class ? (Object) (int) number : (Object) number;
        }
        return element(type, text);
    }

    /** A number within bounds, with a unit if it is an amount of bytes. */
    static long number(String name, String unit, String text, long least, long most) {
        boolean bytes = unit.equals(BYTES);
        long number = bytes ? ByteSize.parse(text) : whole(name, text);
        if (number < least || number > most) {
            throw new IllegalArgumentException(
                    "not between " + least + " and " + most + (unit.isEmpty() ? "" : " " + unit));
        }
        return number;
    }

    private static long whole(String name, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            String what = name.endsWith("Ms") ? "not a whole number of milliseconds" : "not a whole number";
            throw new IllegalArgumentException(what, e);
        }
    }

    /** A value of its own type, or an element of a list. */
    static Object element(Class<?> type, String text) {
        if (type == String.class) {
            return text;
        } else if (type == Path.class) {
            return path(text);
        } else if (type.isEnum()) {
            return word(type, text);
        }
        Method parser = parser(type);
        if (parser == null) {
            throw new IllegalStateException("nothing reads a " + type);
        }
        return parse(parser, text);
    }

    private static Object parse(Method parser, String text) {
        try {
            return parser.invoke(null, text);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException wrong) {
                throw wrong;
            }
            throw new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The static method by which a class reads its written form, or null. */
    static @Nullable Method parser(Class<?> type) {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(PARSE)
                    && Modifier.isStatic(method.getModifiers())
                    && Arrays.equals(method.getParameterTypes(), new Class<?>[] {String.class})) {
                method.setAccessible(true);
                return method;
            }
        }
        return null;
    }

    private static boolean yesOrNo(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("no file name: " + e.getReason(), e);
        }
    }

    private static Object word(Class<?> type, String text) {
        List<?> words = Arrays.asList(type.getEnumConstants());
        for (Object word : words) {
            if (written(word).equals(text)) {
                return word;
            }
        }
        throw new IllegalArgumentException(
                "not one of " + words.stream().map(Convert::written).collect(Collectors.joining(", ")));
    }

    private static String written(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The parts of a text with commas. */
    static List<String> parts(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }
}
