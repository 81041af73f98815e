package dev.turnstone.testkit.model;

/** What may have become of what is in a box and has not shown itself there: dead letters, what topics retain. */
final class Unshown {
    /** It may have been with a consumer that has not seen it, and come back. */
    private boolean returned;
    /** It may have come back flagged. */
    private boolean lost;

    /** What was out has come back, or will. */
    void returns(boolean flagged) {
        returned = true;
        lost |= flagged;
    }

    /** An entry of it shows itself. */
    void shows(Entry entry) {
        entry.returned |= returned;
        entry.past.mayFlag = lost;
    }
}
