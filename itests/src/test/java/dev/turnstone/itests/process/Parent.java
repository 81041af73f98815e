package dev.turnstone.itests.process;

/** The test's process, for one that it has started. */
public final class Parent {
    private Parent() {}

    /** This process ends when the one that has started it is gone: a test that is cut off leaves nothing behind. */
    public static void endWithIt() {
        ProcessHandle parent = ProcessHandle.current().parent().orElseThrow();
        Thread watch = new Thread(() -> end(parent), "parent");
        watch.setDaemon(true);
        watch.start();
    }

    private static void end(ProcessHandle parent) {
        parent.onExit().join();
        Runtime.getRuntime().halt(1);
    }
}
