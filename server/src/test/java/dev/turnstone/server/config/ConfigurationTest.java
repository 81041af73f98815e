package dev.turnstone.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.server.config.Configuration.Option;
import dev.turnstone.server.config.Configuration.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where settings come from, which of them wins, and each kind of component. */
final class ConfigurationTest {
    @TempDir
    Path folder;

    enum Colour {
        RED,
        LIGHT_BLUE
    }

    record Rule(
            @Setting(value = "who", required = true) List<String> who,
            @Setting(value = "how often", standard = "1") int often) {}

    record Box(
            @Setting(value = "its size", standard = "1KiB", bytes = true)
            long size,

            @Setting(value = "its colour", standard = "red") Colour colour) {
        Box {
            if (size > 1 << 20 && colour == Colour.RED) {
                throw new WrongSetting("colour", "large boxes are not red");
            }
        }
    }

    record Everything(
            @Setting(value = "a name", standard = "plain") String name,
            @Setting(value = "numbers", standard = "a, b") List<String> names,
            @Setting(value = "rules", live = true) List<Rule> rules,
            @Setting(value = "boxes by name") Map<String, Box> boxes,
            @Setting(value = "options by name") Map<String, String> options,
            @Nullable Box spare,
            Box main) {}

    private Configuration<Everything> read(String yaml, Map<String, String> environment, Map<String, String> options)
            throws IOException {
        Path file = folder.resolve("t.yaml");
        Files.writeString(file, yaml);
        Map<String, Option> all = new java.util.TreeMap<>();
        options.forEach((name, text) -> all.put(name, new Option(text, "-D " + name)));
        return Configuration.read(Everything.class, new Sources(file, environment, Map.of(), all));
    }

    private Everything settings(String yaml) throws IOException {
        Configuration<Everything> configuration = read(yaml, Map.of(), Map.of());
        assertThat(configuration.problems()).isEmpty();
        return configuration.settings();
    }

    private List<String> problems(String yaml) throws IOException {
        String place = folder.resolve("t.yaml") + ":";
        return read(yaml, Map.of(), Map.of()).problems().stream()
                .map(problem -> problem.toString().replace(place, ""))
                .toList();
    }

    @Test
    void withoutAnythingEverySettingHasItsDefault() {
        Everything settings = Configuration.standard(Everything.class);
        assertThat(settings)
                .isEqualTo(new Everything(
                        "plain", List.of("a", "b"), List.of(), Map.of(), Map.of(), null, new Box(1024, Colour.RED)));
    }

    @Test
    void listsOfSectionsAndSectionsByNameAreRead() throws IOException {
        Everything settings = settings("""
                rules:
                  - {who: [x, y], often: 3}
                  - who: z
                boxes:
                  "a.b": {size: 2KiB}
                  plain: {colour: light-blue}
                options:
                  "what.ever": 1
                spare.size: 5
                """);
        assertThat(settings.rules()).containsExactly(new Rule(List.of("x", "y"), 3), new Rule(List.of("z"), 1));
        assertThat(settings.boxes())
                .isEqualTo(Map.of("a.b", new Box(2048, Colour.RED), "plain", new Box(1024, Colour.LIGHT_BLUE)));
        assertThat(settings.options()).isEqualTo(Map.of("what.ever", "1"));
        assertThat(settings.spare()).isEqualTo(new Box(5, Colour.RED));
    }

    @Test
    void aStrongerSourceWinsAndReplacesAListAsAWhole() throws IOException {
        String yaml = "name: file\nnames: [f1, f2, f3]\nmain: {size: 1}\n";
        Configuration<Everything> configuration = read(
                yaml,
                Map.of(
                        "TURNSTONE_NAME",
                        "variable",
                        "TURNSTONE_NAMES_0_",
                        "v",
                        "TURNSTONE_RULES_1__WHO",
                        "w",
                        "OTHER",
                        "x"),
                Map.of("name", "option"));
        assertThat(configuration.problems()).isEmpty();
        assertThat(configuration.settings().name()).isEqualTo("option");
        assertThat(configuration.settings().names()).containsExactly("v");
        assertThat(configuration.settings().rules()).containsExactly(new Rule(List.of("w"), 1));
        assertThat(configuration.effective())
                .extracting(held -> held.name() + "=" + held.text() + " from " + held.origin())
                .contains(
                        "name=option from -D name",
                        "names=v from TURNSTONE_NAMES_0_",
                        "main.size=1 from " + folder.resolve("t.yaml") + ":3",
                        "main.colour=red from default");
    }

    @Test
    void aVariableThatIsNoSettingIsAWarning() throws IOException {
        Configuration<Everything> configuration =
                read("", Map.of("TURNSTONE_PORT_61613_TCP", "x", "TURNSTONE_JAVA_OPTS", "y"), Map.of());
        assertThat(configuration.problems()).isEmpty();
        assertThat(configuration.warnings())
                .containsExactly("the variable TURNSTONE_PORT_61613_TCP is no setting, and is not used");
    }

    @Test
    void aValueMayNameAVariable() throws IOException {
        Configuration<Everything> configuration =
                read("name: ${env.WHO}/x\nnames: '${env.NONE:a,b}'\n", Map.of("WHO", "me"), Map.of());
        assertThat(configuration.settings().name()).isEqualTo("me/x");
        assertThat(configuration.settings().names()).containsExactly("a", "b");
        assertThat(problems("name: ${env.NONE}\n"))
                .containsExactly("1: name: '${env.NONE}': what it names is not there; ${env.NAME} is a variable of the"
                        + " environment, ${env.NAME:TEXT} holds also without it");
    }

    @Test
    void allMistakesAreNamedAtOnce() throws IOException {
        assertThat(problems("""
                nam: x
                main:
                  size: 5MB
                  colour: green
                rules:
                  - often: twice
                boxes: {a: {colour: red, size: 2MiB}}
                spare: 7
                """))
                .containsExactlyInAnyOrder(
                        "1: unknown setting 'nam'; did you mean 'name'?",
                        "3: main.size: '5MB': not an amount of bytes, such as 1048576 or 1MiB",
                        "4: main.colour: 'green': not one of red, light-blue",
                        "6: rules[0].who: is missing",
                        "6: rules[0].often: 'twice': not a whole number",
                        "7: boxes.\"a\".colour: large boxes are not red",
                        "8: spare is a section: its settings stand below it, further to the right");
    }

    @Test
    void anAliasThatHoldsItselfEnds() throws IOException {
        assertThat(problems("options: &a {x: *a}\n")).anyMatch(problem -> problem.contains("nested too deeply"));
    }

    @Test
    void whatMayBeSecretIsNotShown() throws IOException {
        Configuration<Everything> configuration =
                read("options: {bindPassword: hunter2, passwordFile: p}", Map.of(), Map.of());
        assertThat(configuration.effective())
                .extracting(Effective::shown)
                .contains("******", "p")
                .doesNotContain("hunter2");
    }
}
