package dev.turnstone.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.testkit.model.Sight;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The engine under random sessions and faults. {@code -Dsim.seed=} replays one seed, {@code -Dsim.minutes=} runs longer
 * than the usual {@code -Dsim.seconds=}.
 */
@Timeout(value = 24, unit = TimeUnit.HOURS)
class SimulationTest {
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
     * a page, was taken for a replaced one when the branch rolled back. 364167855: the mark passed what it left to the
     * consumer of its group. 2039121173: what comes again though it has expired was read from its page to expire, for
     * ever. 1097311258: a session was told that it consumes from a queue of a virtual topic which another had just
     * made, and which was not durable. 3000260254: the model did not know that a dead letter keeps its group, and so
     * waits for who has that. 3000293283: a new subscription was given what its topic retains before that was durable,
     * and the state that came with it. 3000359977: what came back of a group that was to move waited for its former
     * consumer, while the rest moved. 5000061429: a ring did not see what came back to wait aside, and dropped what was
     * newer. 6000173555: the model did not know that what a roll-back has given back may have gone, unseen, to a
     * consumer that was lost then. 285352590: an entry expired while its page was read for a consumer, which then
     * waited for it though there was more. 7000165928: a browser ended before the queue had released all that was due.
     * 832491036: what was to become a dead letter when the broker was killed, and lay in a page, stayed until somebody
     * consumed. 7000110341: the model did not know that a dead letter may have come back unseen before it shows itself.
     * 1556: the simulator did not wait until all chunks of bodies were deleted, some at a time. 706: after a restart, a
     * group did not wait for what of it a prepared branch has settled.
     */
    @ParameterizedTest
    @ValueSource(
            longs = {
                11221,
                8229,
                6004,
                45580,
                900747,
                901476,
                18992,
                61129,
                40142,
                364167855,
                2039121173,
                1097311258,
                3000260254L,
                3000293283L,
                3000359977L,
                5000061429L,
                6000173555L,
                285352590,
                7000165928L,
                7000110341L,
                1556,
                706
            })
    void seedsThatOnceFailedDoNot(long seed) {
        assertThat(Campaign.honest().run(seed)).isNull();
    }

    @Test
    void aCampaignComesOftenAcrossEverythingThatTheModelSpeaksOf() {
        Campaign campaign = Campaign.honest();
        assertThat(campaign.runSeeds(1, 400)).isNull();
        for (Sight sight : Sight.values()) {
            assertThat(campaign.tally().of(sight)).as(sight.toString()).isGreaterThanOrEqualTo(20);
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
}
