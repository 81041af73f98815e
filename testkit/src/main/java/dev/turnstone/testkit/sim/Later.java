package dev.turnstone.testkit.sim;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import java.util.random.RandomGenerator;

/**
 * What only some seeds have, since it came later: the others stay what they are. Immutable.
 *
 * @param reads true if the bodies that are stored apart are read
 * @param browses true if queues are browsed
 * @param joins true if sessions suspend their work for branches, fail, and help each other
 * @param devices true if clients have queues that subscribe by filters
 * @param retains true if topics retain messages
 * @param fullMemory true if memory is full now and then
 * @param scenes true if what chance alone seldom brings about is played
 * @param chunksMax how many chunks of bodies a session has under way
 */
record Later(
        boolean reads,
        boolean browses,
        boolean joins,
        boolean devices,
        boolean retains,
        boolean fullMemory,
        boolean scenes,
        int chunksMax) {
    /** Nothing of it. */
    static final Later NONE =
            new Later(false, false, false, false, false, false, false, (int) Limit.BODY_CHUNKS_MAX.standard());

    static Later random(RandomGenerator random, boolean scenes) {
        return new Later(
                random.nextInt(4) > 0,
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextInt(4) == 0,
                scenes,
                random.nextInt(1, 4));
    }

    /** The limits of the broker in place of these. */
    Limits limits(Limits limits) {
        Limits chunks = limits.with(Limit.BODY_CHUNKS_MAX, chunksMax);
        return fullMemory ? chunks.with(Limit.MEMORY_MAX, Limit.MEMORY_MAX.least()) : chunks;
    }
}
