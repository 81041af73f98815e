package dev.turnstone.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

final class SpellingTest {
    private static final List<String> KNOWN = List.of("data", "listen", "journal.outstanding");

    @Test
    void findsTheWordThatWasMeant() {
        assertThat(Spelling.nearest("lsiten", KNOWN)).contains("listen");
        assertThat(Spelling.nearest("Data", KNOWN)).contains("data");
        assertThat(Spelling.nearest("journal.outstandingBytes", KNOWN)).contains("journal.outstanding");
    }

    @Test
    void prefersWhatBeginsWithTheWord() {
        List<String> options = List.of("--no-password", "--password-file", "--role");
        assertThat(Spelling.nearest("--password", options)).contains("--password-file");
        assertThat(Spelling.nearest("--passwrd", options)).contains("--no-password");
    }

    @Test
    void offersNothingForAWordLikeNoOther() {
        assertThat(Spelling.nearest("zookeeper", KNOWN)).isEmpty();
    }

    @Test
    void countsLetters() {
        assertThat(Spelling.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(Spelling.distance("", "abc")).isEqualTo(3);
    }

    @Property(tries = 200)
    void isADistance(
            @ForAll @AlphaChars @StringLength(max = 8) String a,
            @ForAll @AlphaChars @StringLength(max = 8) String b,
            @ForAll @AlphaChars @StringLength(max = 8) String c) {
        assertThat(Spelling.distance(a, b)).isEqualTo(Spelling.distance(b, a));
        assertThat(Spelling.distance(a, c)).isLessThanOrEqualTo(Spelling.distance(a, b) + Spelling.distance(b, c));
        assertThat(Spelling.distance(a, b) == 0).isEqualTo(a.equalsIgnoreCase(b));
    }
}
