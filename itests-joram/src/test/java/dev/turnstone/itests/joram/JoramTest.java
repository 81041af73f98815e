package dev.turnstone.itests.joram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.jtests.jms.admin.Admin;

final class JoramTest {
    private static final int TESTS_IN_SUITE = 196;
    private static final Duration ONE_TEST_MAX = Duration.ofSeconds(20);
    private static final Path KNOWN_FAILURES =
            Path.of(System.getProperty("project.root"), "itests-joram/src/test/resources/known-failures.txt");

    @TempDir
    static Path data;

    private static Connection keepsTheBroker;

    @BeforeAll
    static void startTheBroker() throws JMSException {
        String url = "vm://?object.allow=java.util.Vector,java.lang.Integer,java.lang.Double&data=" + data;
        System.setProperty(TurnstoneAdmin.URL_PROPERTY, url);
        keepsTheBroker = new TurnstoneConnectionFactory(url).createConnection();
    }

    @AfterAll
    static void stopTheBroker() throws JMSException {
        keepsTheBroker.close();
    }

    @TestFactory
    Stream<DynamicTest> suite() throws IOException, ClassNotFoundException {
        KnownFailures known = KnownFailures.read(KNOWN_FAILURES);
        List<TestCase> tests = testsOfTheSuite();
        assertThat(tests).hasSize(TESTS_IN_SUITE);
        assertThat(tests)
                .extracting(JoramTest::nameOf)
                .containsAll(known.reasons().keySet());
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
                    .as("%s passes now: take it out of known-failures.txt", nameOf(test))
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
