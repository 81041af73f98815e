package dev.turnstone.testkit.sim;

import java.util.BitSet;
import java.util.List;

/**
 * A seed that broke something.
 *
 * @param seed the seed
 * @param steps the steps that are enough to break it
 * @param cause what was thrown
 * @param trace the last lines of what happened
 */
public record Failure(long seed, BitSet steps, Throwable cause, List<String> trace) {
    /** What a person needs: what broke, how to see it again, and the way there. */
    public String report() {
        return "seed " + seed + " broke it in " + steps.cardinality() + " steps: " + cause
                + "\nreplay: mvn -pl testkit -am test -Dtest=SimulationTest -Dsim.seed=" + seed
                + " -Dsurefire.failIfNoSpecifiedTests=false"
                + "\n  " + String.join("\n  ", trace);
    }
}
