package dev.turnstone.itests.jms.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/** A test that must fail for now. It counts as skipped; once it passes, it fails until this is taken away. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NotYet.Inverted.class)
@interface NotYet {
    /** What is missing. */
    String value();

    /** Turns failure and success round. */
    final class Inverted implements InvocationInterceptor {
        @Override
        public void interceptTestMethod(
                Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            invert(test, method.getExecutable());
        }

        @Override
        public void interceptTestTemplateMethod(
                Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            invert(test, method.getExecutable());
        }

        private static void invert(Invocation<Void> test, Method method) {
            String missing = AnnotationSupport.findAnnotation(method, NotYet.class)
                    .or(() -> AnnotationSupport.findAnnotation(method.getDeclaringClass(), NotYet.class))
                    .map(NotYet::value)
                    .orElseThrow();
            try {
                test.proceed();
            } catch (Throwable failure) {
                throw new TestAbortedException("not yet: " + missing, failure);
            }
            throw new AssertionError("passes now: take @NotYet(\"" + missing + "\") away");
        }
    }
}
