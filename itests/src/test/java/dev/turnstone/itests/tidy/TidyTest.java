package dev.turnstone.itests.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TidyTest {
    private static final Path ROOT = Path.of(System.getProperty("project.root"));
    private static final Path EXCEPTIONS = ROOT.resolve("itests/src/test/resources/tidy-exceptions.txt");

    private static final String UNTIDY = """
        package a;
        public class ThingManager {
            int a, b, c, d, e, f, g, h, i, j, k, l, m;
            ThingManager(int a, int b, int c, int d, int e, int f, int g) {}
            public int getA() throws Exception {
                try { Thread.sleep(1); } catch (Exception e) { e.printStackTrace(); }
                return a; // TODO later
            }
            void tall() {%s}
        }
        """;

    @TempDir
    Path project;

    @Test
    void sourcesKeepTheirShapeAndExceptionsOnlyShrink() throws IOException {
        List<SourceFile> sources = Sources.under(ROOT);
        assertThat(sources).as("sources under " + ROOT).hasSizeGreaterThan(20);
        assertThat(TidyExceptions.read(EXCEPTIONS).complaintsAbout(TidyRules.findingsIn(sources)))
                .as("breaks a rule (or, by its last words, an entry of " + ROOT.relativize(EXCEPTIONS) + ")")
                .isEmpty();
    }

    @Test
    void everyRuleFindsWhatBreaksIt() throws IOException {
        write("broker-api/src/main/java/a/ThingManager.java", UNTIDY.formatted("\n".repeat(400)));
        write(
                "broker/src/main/java/b/Held.java",
                "package b;\nfinal class Held { void a() { synchronized (this) {} } }\n");
        write(
                "broker-api/src/test/java/a/ThingTest.java",
                "package a;\n@Disabled class ThingTest {}\n//" + "-".repeat(120));
        assertThat(TidyRules.findingsIn(Sources.under(project)))
                .extracting(Finding::rule)
                .containsOnlyOnce(
                        "class-lines",
                        "method-lines",
                        "fields",
                        "constructor-arguments",
                        "class-name",
                        "class-final",
                        "accessor-get",
                        "throws-all",
                        "catch-all",
                        "console",
                        "unfinished",
                        "sleep",
                        "disabled-test",
                        "line-columns",
                        "synchronized")
                .contains("public-doc", "package-info");
    }

    @Test
    void anExceptionThatAllowsTooMuchIsAComplaint() {
        TidyExceptions exceptions = TidyExceptions.parse(List.of("fields a.A 14 # so far", "sleep b.B 1"));
        assertThat(exceptions.complaintsAbout(List.of(new Finding("fields", "a.A", 13))))
                .containsExactly(
                        "fields a.A 14 is allowed but there is only 13: shrink the exception",
                        "sleep b.B 1 is allowed but there is only 0: shrink the exception");
        assertThat(exceptions.complaintsAbout(
                        List.of(new Finding("fields", "a.A", 15), new Finding("sleep", "b.B", 1))))
                .containsExactly("fields a.A 15");
    }

    private void write(String file, String content) throws IOException {
        Path path = project.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
        Files.writeString(project.resolve(file.replaceFirst("/.*", "/pom.xml")), "");
    }
}
