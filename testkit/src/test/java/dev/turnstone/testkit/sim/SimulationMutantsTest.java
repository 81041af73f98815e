package dev.turnstone.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.testkit.model.Violation;
import dev.turnstone.testkit.model.Violation.Promise;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults between the engine and what is around it, each of which the simulation must notice. */
@Timeout(value = 24, unit = TimeUnit.HOURS)
class SimulationMutantsTest {
    private static final int SEEDS_MAX = 10_000;

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
                mutant("bodies mixed up", SessionFaults::swappedBodies, Promise.CONTENT),
                mutant("chunks of bodies mixed up", SessionFaults::repeatedChunks, Promise.CONTENT),
                mutant("credit exceeded", SessionFaults::doubledCredit, Promise.CREDIT),
                mutant("confirmations out of order", SessionFaults::confirmedTooEarly, Promise.CONFIRMATION),
                mutant("identities forgotten", SessionFaults::forgottenIdentities),
                mutant("identifiers of commits forgotten", SessionFaults::forgottenCommits, Promise.NOT_HALF_DONE),
                mutant("sends taken while the disk is full", JournalFaults::alwaysRoom, Promise.ROOM),
                mutant("state outside of the send's unit", SessionFaults::separatedState, Promise.NOT_HALF_DONE),
                mutant("sends outside of their transaction", SessionFaults::untransactedSends, Promise.NOT_HALF_DONE),
                mutant("selectors ignored", FeatureFaults::noSelectors, Promise.ROUTING),
                mutant("patterns taken for a topic", FeatureFaults::noPatterns));
    }

    static Stream<Arguments> mutantsOfFeatures() {
        return Stream.of(
                mutant("all values kept", FeatureFaults::allValues),
                mutant("a ring that is too large", FeatureFaults::largeRing, Promise.KEPT),
                mutant("an exclusive queue that is shared", FeatureFaults::sharedExclusive, Promise.SHARING),
                mutant("a maximum that is passed", FeatureFaults::fullAndMore, Promise.KEPT),
                mutant("a maximum beyond which sends are taken", FeatureFaults::tightAndMore, Promise.KEPT),
                mutant("a maximum beyond which senders need not wait", FeatureFaults::blockedAndMore, Promise.KEPT),
                mutant("senders that wait too early", FeatureFaults::blockedTooEarly, Promise.PROGRESS),
                mutant("sends refused too early", FeatureFaults::refusedTooEarly, Promise.REFUSAL),
                mutant("priorities of consumers ignored", FeatureFaults::noRanks, Promise.SHARING),
                mutant("too few attempts", FeatureFaults::fewAttempts, Promise.DEAD_LETTER),
                mutant("too many attempts", FeatureFaults::manyAttempts, Promise.DEAD_LETTER),
                mutant("dead letters dropped", FeatureFaults::lostDeadLetters, Promise.DEAD_LETTER),
                mutant("what has expired dropped", FeatureFaults::lostExpired, Promise.NOT_LOST),
                mutant("retries too early", FeatureFaults::hastyRetries, Promise.TIME),
                mutant("virtual topics ignored", FeatureFaults::notVirtual, Promise.PROGRESS),
                mutant("what is retained left out", FeatureFaults::nothingRetained, Promise.PROGRESS),
                mutant("bindings ignored", FeatureFaults::unbound),
                mutant("browsers that see nothing", FeatureFaults::blindBrowsers, Promise.PROGRESS),
                mutant("readers that see nothing", FeatureFaults::blindReaders, Promise.PROGRESS),
                mutant("readers that consume", FeatureFaults::destructive),
                mutant("groups ignored", FeatureFaults::noGroups, Promise.SHARING),
                mutant("times of delivery ignored", FeatureFaults::noDelays, Promise.TIME),
                mutant("expiry ignored", FeatureFaults::noExpiry));
    }

    static Stream<Arguments> mutantsOfBranches() {
        return Stream.of(
                mutant("chunks of bodies kept", PageFaults::keptChunks, Promise.KEPT),
                mutant("copies left behind", FeatureFaults::leftBehind, Promise.KEPT),
                mutant("marks of queues kept that have ended", JournalFaults::keptMarks, Promise.KEPT),
                mutant("chunks of bodies not synced", PageFaults::unsyncedChunks),
                mutant("prepared sends forgotten", BranchFaults::lostSends),
                mutant("prepared settles forgotten", BranchFaults::lostSettles),
                mutant("prepared state forgotten", BranchFaults::lostState, Promise.NOT_HALF_DONE),
                mutant("failed work taken for done", BranchFaults::failureIgnored, Promise.REFUSAL),
                mutant("prepared branches rolled back in place of committed", BranchFaults::rolledBackInPlace));
    }

    private static Arguments mutant(String name, Supplier<Tampering> fault, Promise... promises) {
        return Arguments.of(name, fault, List.of(promises));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"mutants", "mutantsOfFeatures", "mutantsOfBranches"})
    void aFaultIsNoticed(String name, Supplier<Tampering> fault, List<Promise> promises) {
        Campaign campaign = new Campaign(fault);
        Failure failure = null;
        for (long seed = 1; seed <= SEEDS_MAX && failure == null; seed++) {
            Failure any = campaign.run(seed);
            failure = any != null && breaks(any, promises) ? any : null;
        }
        assertThat(failure).as("%s, unnoticed in %d seeds", name, SEEDS_MAX).isNotNull();
        System.out.println("simulation: noticed " + name + " after " + campaign.seedsRun() + " seeds: "
                + failure.cause().getMessage());
    }

    private static boolean breaks(Failure failure, List<Promise> promises) {
        return promises.isEmpty()
                || (failure.cause() instanceof Violation violation && promises.contains(violation.promise()));
    }
}
