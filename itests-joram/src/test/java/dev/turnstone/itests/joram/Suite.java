package dev.turnstone.itests.joram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import junit.framework.TestCase;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.junit.jupiter.api.DynamicTest;
import org.objectweb.jtests.jms.admin.Admin;

/** The suite's tests, less those that may fail for now. */
final class Suite {
    private static final int TESTS_IN_SUITE = 196;
    private static final Duration ONE_TEST_MAX = Duration.ofSeconds(20);

    private Suite() {}

    /** Its tests, through the client that {@link TurnstoneAdmin} gives out; which may fail says a file. */
    static Stream<DynamicTest> tests(String knownFailures) throws IOException, ClassNotFoundException {
        KnownFailures known = KnownFailures.read(
                Path.of(System.getProperty("project.root"), "itests-joram/src/test/resources", knownFailures));
        List<TestCase> tests = testsOfTheSuite();
        assertThat(tests).hasSize(TESTS_IN_SUITE);
        assertThat(tests).extracting(Suite::nameOf).containsAll(known.reasons().keySet());
        return tests.stream().map(test -> DynamicTest.dynamicTest(nameOf(test), () -> run(test, known)));
    }

    private static void run(TestCase test, KnownFailures known) {
        TestResult result = new TestResult();
        Throwable failure = null;
        try {
            assertTimeoutPreemptively(ONE_TEST_MAX, () -> test.run(result));
            failure = Stream.of(result.errors(), result.failures())
                    .flatMap(failures -> Collections.list(failures).stream())
                    .map(TestFailure::thrownException)
                    .findFirst()
                    .orElse(null);
        } catch (AssertionError tooLong) {
            failure = tooLong;
        }
        if (known.contains(nameOf(test))) {
            assertThat(failure)
                    .as("%s passes now: take it off the list", nameOf(test))
                    .isNotNull();
        } else if (failure != null) {
            throw new AssertionError(nameOf(test) + ": " + failure.getMessage(), failure);
        }
    }

    private static String nameOf(TestCase test) {
        return test.getClass().getSimpleName() + "." + test.getName();
    }

    private static List<TestCase> testsOfTheSuite() throws IOException, ClassNotFoundException {
        String jar =
                Admin.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        List<String> names;
        try (JarFile suite = new JarFile(jar)) {
            names = suite.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.endsWith("Test.class"))
                    .sorted()
                    .toList();
        }
        TestSuite all = new TestSuite();
        for (String name : names) {
            all.addTestSuite(Class.forName(name.replace('/', '.').replaceFirst("\\.class$", ""))
                    .asSubclass(TestCase.class));
        }
        return Collections.list(all.tests()).stream()
                .flatMap(testsOfOne -> Collections.list(((TestSuite) testsOfOne).tests()).stream())
                .map(TestCase.class::cast)
                .toList();
    }
}
