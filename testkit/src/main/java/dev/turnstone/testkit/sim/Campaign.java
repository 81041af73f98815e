package dev.turnstone.testkit.sim;

import dev.turnstone.testkit.model.Tally;
import dev.turnstone.testkit.model.Violation;
import java.time.Duration;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs seeds one after the other and shrinks the first that fails. One thread. */
public final class Campaign {
    private static final Duration SHRINKING_MAX = Duration.ofSeconds(20);

    private final Supplier<Tampering> tampering;
    private final Tally tally = new Tally();
    private long seedsRun;

    /** A campaign with a fresh fault for each run. */
    public Campaign(Supplier<Tampering> tampering) {
        this.tampering = tampering;
    }

    /** A campaign without a fault. */
    public static Campaign honest() {
        return new Campaign(() -> Tampering.NONE);
    }

    Tampering tampering() {
        return tampering.get();
    }

    /** How many seeds were run. */
    public long seedsRun() {
        return seedsRun;
    }

    /** What all runs together have seen. */
    public Tally tally() {
        return tally;
    }

    /** Runs seeds from the first on until time is up, so many have run or one fails; null if none did. */
    public @Nullable Failure run(long firstSeed, Duration time, long seedsMax) {
        long end = System.nanoTime() + time.toNanos();
        for (long seed = firstSeed; seed - firstSeed < seedsMax && System.nanoTime() < end; seed++) {
            Failure failure = run(seed);
            if (failure != null) {
                return shrunk(failure);
            }
        }
        return null;
    }

    /** Runs at most so many seeds; gives the first failure as it came, or null. */
    public @Nullable Failure runSeeds(long firstSeed, int count) {
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            Failure failure = run(seed);
            if (failure != null) {
                return failure;
            }
        }
        return null;
    }

    /** Runs one seed; null if nothing broke. */
    public @Nullable Failure run(long seed) {
        seedsRun++;
        return attempt(seed, Simulation.allSteps());
    }

    private @Nullable Failure attempt(long seed, BitSet steps) {
        Simulation simulation = new Simulation(seed, tampering.get());
        try {
            simulation.run(steps);
            return null;
        } catch (RuntimeException | AssertionError e) {
            return new Failure(seed, steps, e, simulation.trace());
        } finally {
            tally.add(simulation.tally());
        }
    }

    /** The same failure with as few steps as can be found in a short time: leaves out ever smaller runs of steps. */
    public Failure shrunk(Failure failure) {
        long end = System.nanoTime() + SHRINKING_MAX.toNanos();
        Failure least = failure;
        for (int chunk = Simulation.STEPS / 2; chunk > 0; chunk /= 2) {
            for (int from = 0; from < Simulation.STEPS && System.nanoTime() < end; from += chunk) {
                BitSet fewer = (BitSet) least.steps().clone();
                fewer.clear(from, from + chunk);
                if (fewer.equals(least.steps())) {
                    continue;
                }
                Failure again = attempt(failure.seed(), fewer);
                if (again != null && sameKind(again.cause(), failure.cause())) {
                    least = again;
                }
            }
        }
        return least;
    }

    private static boolean sameKind(Throwable one, Throwable other) {
        return (one instanceof Violation a && other instanceof Violation b)
                ? a.promise() == b.promise()
                : one.getClass() == other.getClass();
    }
}
