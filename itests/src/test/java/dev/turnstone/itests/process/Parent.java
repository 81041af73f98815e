package dev.turnstone.itests.process;

/** The test's process, for one that it has started. */
public final class Parent {
    private Parent() {}

    /** This process ends when the one that has started it is gone: a test that is cut off leaves nothing behind. */
    public static void endWithIt() {
        ProcessHandle.current()
                .parent()
                .ifPresent(parent ->
                        parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
    }
}
