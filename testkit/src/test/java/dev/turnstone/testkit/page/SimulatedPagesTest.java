package dev.turnstone.testkit.page;

import dev.turnstone.journal.page.PageStore;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** The contract without files. */
final class SimulatedPagesTest extends PageStoreContract {
    private final SimulatedPageDisk disk = new SimulatedPageDisk();

    @Override
    protected PageStore open(RecordingPages listener) {
        return disk.open(listener);
    }

    @Override
    protected void await(PageStore pages, BooleanSupplier condition) {
        Random random = new Random(3);
        while (!condition.getAsBoolean()) {
            ((SimulatedPages) pages).step(random);
        }
    }

    @Override
    protected void crash(PageStore pages, Random random) {
        ((SimulatedPages) pages).crash(random);
    }

    @Override
    protected void damage(long id) {
        disk.damage(id);
    }
}
