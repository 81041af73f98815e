package dev.turnstone.itests.jms.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * What other people's client libraries lack, whatever the broker does: {@code lacks-CLIENT.txt} has lines of
 * {@code CLASS.METHOD # REASON}, or {@code CLASS # REASON}, or {@code CLASS.METHOD(FIRST ARGUMENT) # REASON}. Such a
 * test counts as skipped. With {@code -Dconformance.listed=true} it is run, and fails if it passes: then it must be
 * taken off the list.
 */
final class LibraryLacks implements InvocationInterceptor {
    private static final boolean TRY = Boolean.getBoolean("conformance.listed");

    @Override
    public void interceptTestMethod(
            Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        proceed(test, method, context);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        proceed(test, method, context);
    }

    private static void proceed(
            Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        String reason = reason(method, context);
        if (reason == null) {
            test.proceed();
            return;
        }
        if (!TRY) {
            test.skip();
            throw new TestAbortedException("the library lacks it: " + reason);
        }
        try {
            test.proceed();
        } catch (Throwable failure) {
            throw new TestAbortedException("the library lacks it: " + reason, failure);
        }
        throw new AssertionError("passes now, though it is listed: " + reason);
    }

    private static @Nullable String reason(ReflectiveInvocationContext<Method> method, ExtensionContext context) {
        String name = method.getTargetClass().getSimpleName();
        Map<String, String> listed = listed(context);
        String test = name + "." + method.getExecutable().getName();
        String one = method.getArguments().isEmpty()
                ? test
                : test + "(" + method.getArguments().get(0) + ")";
        return listed.getOrDefault(one, listed.getOrDefault(test, listed.get(name)));
    }

    private static Map<String, String> listed(ExtensionContext context) {
        Optional<ExtensionContext> at = Optional.of(context);
        while (at.isPresent()) {
            Map<String, String> found = read(at.get().getDisplayName());
            if (!found.isEmpty()) {
                return found;
            }
            at = at.get().getParent();
        }
        return Map.of();
    }

    private static Map<String, String> read(String client) {
        if (!client.matches("[a-z]+")) {
            return Map.of();
        }
        Map<String, String> listed = new HashMap<>();
        try (InputStream in = LibraryLacks.class.getResourceAsStream("/conformance/lacks-" + client + ".txt")) {
            if (in == null) {
                return Map.of();
            }
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    String[] parts = line.split("#", 2);
                    listed.put(parts[0].strip(), parts[1].strip());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return listed;
    }
}
