package dev.turnstone.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.testkit.model.Sight;
import dev.turnstone.testkit.model.Violation;
import dev.turnstone.testkit.model.Violation.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The engine under random sessions and faults. {@code -Dsim.seed=} replays one seed, {@code -Dsim.minutes=} runs longer
 * than the usual {@code -Dsim.seconds=}.
 */
@Timeout(value = 24, unit = TimeUnit.HOURS)
class SimulationTest {
    private static final int MUTANT_SEEDS_MAX = 10_000;

    private static Duration time() {
        Integer minutes = Integer.getInteger("sim.minutes");
        return minutes != null
                ? Duration.ofMinutes(minutes)
                : Duration.ofSeconds(Integer.getInteger("sim.seconds", 120));
    }

    /** The usual run is the same each time, so that a change alone makes it fail; a longer one looks for the new. */
    private static long firstSeed() {
        return Integer.getInteger("sim.minutes") == null ? 1 : System.nanoTime() & Integer.MAX_VALUE;
    }

    /** The usual run is the same on a fast machine. */
    private static long seedsMax() {
        return Integer.getInteger("sim.minutes") == null ? 90_000 : Long.MAX_VALUE;
    }

    @Test
    void theEngineKeepsItsPromises() {
        Campaign campaign = Campaign.honest();
        Long replayed = Long.getLong("sim.seed");
        long first = replayed != null ? replayed : firstSeed();
        Failure failure;
        if (replayed != null) {
            failure = campaign.run(first);
            failure = failure == null ? null : campaign.shrunk(failure);
        } else {
            System.out.println("simulation: seeds from " + first + " for " + time());
            failure = campaign.run(first, time(), seedsMax());
        }
        System.out.println("simulation: " + campaign.seedsRun() + " seeds run, of " + Simulation.STEPS + " steps");
        System.out.println("simulation: " + campaign.tally());
        if (failure != null) {
            throw new AssertionError(failure.report(), failure.cause());
        }
    }

    /**
     * 11221: entries that had come back from pages to expire went out again before their turn came, for ever. 8229: a
     * ring took a run in a page for as old as what had left it before, and dropped what was newer. 6004 and 45580: what
     * had come back unseen was passed by the mark, and a crash flagged more than a block. 900747: a ring dropped from a
     * page what a prepared branch had settled, which then waited for it for ever. 901476: the simulated broker slept
     * beyond the time at which it had to do something. 18992: the model did not know that a group waits for what of it
     * a prepared branch has settled. 61129: an orderly stop did not record that what a prepared branch had settled was
     * seen, and it came back unflagged. 40142: a last value that a prepared branch had settled, and that came back from
     * a page, was taken for a replaced one when the branch rolled back.
     */
    @ParameterizedTest
    @ValueSource(longs = {11221, 8229, 6004, 45580, 900747, 901476, 18992, 61129, 40142})
    void seedsThatOnceFailedDoNot(long seed) {
        assertThat(Campaign.honest().run(seed)).isNull();
    }

    @Test
    void aCampaignComesAcrossEverythingThatTheModelSpeaksOf() {
        Campaign campaign = Campaign.honest();
        assertThat(campaign.runSeeds(1, 300)).isNull();
        for (Sight sight : Sight.values()) {
            assertThat(campaign.tally().of(sight)).as(sight.toString()).isPositive();
        }
    }

    @Test
    void aSeedIsAlwaysTheSameRun() {
        for (long seed = 1; seed < 20; seed++) {
            Simulation one = new Simulation(seed, Tampering.NONE);
            Simulation again = new Simulation(seed, Tampering.NONE);
            one.run(Simulation.allSteps());
            again.run(Simulation.allSteps());
            assertThat(one.trace()).isNotEmpty().isEqualTo(again.trace());
        }
    }

    static Stream<Arguments> mutants() {
        return Stream.of(
                mutant("a journal that says durable too early", JournalFaults::durableTooEarly),
                mutant("a journal that loses deletes", () -> JournalFaults.lostDeletes(5)),
                mutant("a journal that loses records", () -> JournalFaults.lostRecords(50)),
                mutant("a journal that tears units", JournalFaults::tornUnits, Promise.NOT_HALF_DONE),
                mutant("pages that say written too early", PageFaults::writtenTooEarly),
                mutant("pages deleted before their last settle is durable", PageFaults::deletedTooEarly),
                mutant("a page that replaces others without their end", PageFaults::replacedInPart),
                mutant("a rollback that does not keep the order", SessionFaults::reversedRedeliveries, Promise.ORDER),
                mutant("deliveries out of order", SessionFaults::swappedDeliveries, Promise.ORDER),
                mutant("flags forgotten", SessionFaults::forgottenFlags, Promise.FLAG),
                mutant("flags for nothing", SessionFaults::needlessFlags, Promise.FLAG),
                mutant("attempts counted twice", SessionFaults::wrongCounts, Promise.COUNT),
                mutant("credit exceeded", SessionFaults::doubledCredit, Promise.CREDIT),
                mutant("confirmations out of order", SessionFaults::confirmedTooEarly, Promise.CONFIRMATION),
                mutant("identities forgotten", SessionFaults::forgottenIdentities),
                mutant("identifiers of commits forgotten", SessionFaults::forgottenCommits, Promise.NOT_HALF_DONE),
                mutant("sends taken while the disk is full", JournalFaults::alwaysRoom, Promise.ROOM),
                mutant("state outside of the send's unit", SessionFaults::separatedState, Promise.NOT_HALF_DONE),
                mutant("sends outside of their transaction", SessionFaults::untransactedSends, Promise.NOT_HALF_DONE),
                mutant("all values kept", FeatureFaults::allValues),
                mutant("a ring that is too large", FeatureFaults::largeRing, Promise.KEPT),
                mutant("an exclusive queue that is shared", FeatureFaults::sharedExclusive, Promise.SHARING),
                mutant("too few attempts", FeatureFaults::fewAttempts, Promise.DEAD_LETTER),
                mutant("too many attempts", FeatureFaults::manyAttempts, Promise.DEAD_LETTER),
                mutant("dead letters dropped", FeatureFaults::lostDeadLetters, Promise.DEAD_LETTER),
                mutant("retries too early", FeatureFaults::hastyRetries, Promise.TIME),
                mutant("bindings ignored", FeatureFaults::unbound),
                mutant("groups ignored", FeatureFaults::noGroups, Promise.SHARING),
                mutant("times of delivery ignored", FeatureFaults::noDelays, Promise.TIME),
                mutant("expiry ignored", FeatureFaults::noExpiry),
                mutant("selectors ignored", FeatureFaults::noSelectors, Promise.ROUTING),
                mutant("patterns taken for a topic", FeatureFaults::noPatterns));
    }

    static Stream<Arguments> mutantsOfBranches() {
        return Stream.of(
                mutant("chunks of bodies kept", PageFaults::keptChunks, Promise.KEPT),
                mutant("chunks of bodies not synced", PageFaults::unsyncedChunks),
                mutant("prepared sends forgotten", BranchFaults::lostSends),
                mutant("prepared settles forgotten", BranchFaults::lostSettles),
                mutant("prepared state forgotten", BranchFaults::lostState, Promise.NOT_HALF_DONE),
                mutant("prepared branches rolled back in place of committed", BranchFaults::rolledBackInPlace));
    }

    private static Arguments mutant(String name, Supplier<Tampering> fault, Promise... promises) {
        return Arguments.of(name, fault, List.of(promises));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"mutants", "mutantsOfBranches"})
    void aFaultIsNoticed(String name, Supplier<Tampering> fault, List<Promise> promises) {
        Campaign campaign = new Campaign(fault);
        Failure failure = null;
        for (long seed = 1; seed <= MUTANT_SEEDS_MAX && failure == null; seed++) {
            Failure any = campaign.run(seed);
            failure = any != null && breaks(any, promises) ? any : null;
        }
        assertThat(failure)
                .as("%s, unnoticed in %d seeds", name, MUTANT_SEEDS_MAX)
                .isNotNull();
        System.out.println("simulation: noticed " + name + " after " + campaign.seedsRun() + " seeds: "
                + failure.cause().getMessage());
    }

    private static boolean breaks(Failure failure, List<Promise> promises) {
        return promises.isEmpty()
                || (failure.cause() instanceof Violation violation && promises.contains(violation.promise()));
    }
}
