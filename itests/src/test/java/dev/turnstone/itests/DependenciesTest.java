package dev.turnstone.itests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every library that the product's modules ask for has its reason in docs/dependencies.md. */
final class DependenciesTest {
    private static final Path ROOT = Path.of(System.getProperty("project.root"));
    private static final Pattern DEPENDENCY =
            Pattern.compile("<dependency>\\s*<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>"
                    + "(?!\\s*<scope>test</scope>)");

    @Test
    void everyLibraryHasItsReason() throws IOException {
        String reasons = Files.readString(ROOT.resolve("docs/dependencies.md"));
        Set<String> libraries = libraries();
        assertThat(libraries).contains("org.apache.artemis:artemis-journal");
        assertThat(libraries)
                .allSatisfy(library -> assertThat(reasons).contains(library.substring(library.indexOf(':') + 1)));
    }

    private static Set<String> libraries() throws IOException {
        Set<String> libraries = new TreeSet<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path pom : modules.map(module -> module.resolve("pom.xml"))
                    .filter(Files::exists)
                    .toList()) {
                Matcher dependency = DEPENDENCY.matcher(Files.readString(pom));
                while (dependency.find()) {
                    if (!dependency.group(1).equals("dev.turnstone")) {
                        libraries.add(dependency.group(1) + ":" + dependency.group(2));
                    }
                }
            }
        }
        return libraries;
    }
}
