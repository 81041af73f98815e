package dev.turnstone.itests.crash;

/**
 * What became of a flow.
 *
 * @param inDoubt sends and moves that were begun and never confirmed
 * @param lost confirmed and nowhere
 * @param doubled twice in a queue, or received again after its move was confirmed
 * @param halfDone parts of a transaction
 */
record Verdict(String flow, int sends, int moves, int inDoubt, int lost, int doubled, int halfDone) {
    static final String HEADER = String.format(
            "%-10s %9s %9s %9s %6s %8s %10s", "flow", "sends", "moves", "in doubt", "lost", "doubled", "half done");

    boolean clean() {
        return lost == 0 && doubled == 0 && halfDone == 0;
    }

    String row() {
        return String.format("%-10s %9d %9d %9d %6d %8d %10d", flow, sends, moves, inDoubt, lost, doubled, halfDone);
    }
}
