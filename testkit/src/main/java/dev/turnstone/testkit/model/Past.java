package dev.turnstone.testkit.model;

import dev.turnstone.port.Delivery;

/** What a delivery must and may say about earlier ones of its entry. */
final class Past {
    /** An application may have seen it for all that the model knows. */
    boolean mustFlag;
    /** The broker may have reason to flag it that the model cannot see. */
    boolean mayFlag;
    /** Attempts that are counted for certain. */
    int attemptsMin;
    /** Attempts that may be counted. */
    int attemptsMax;
    /** How many of its box had left that when this one was given. */
    long goneBefore;

    /** Checks a delivery; says whether it is flagged although nobody has seen the entry. */
    boolean check(Entry entry, Delivery delivery) {
        boolean flagged = delivery.redelivered();
        Violation.check(flagged || !mustFlag, Violation.Promise.FLAG, entry + " was seen and comes unflagged");
        Violation.check(
                !flagged || mustFlag || mayFlag,
                Violation.Promise.FLAG,
                entry + " was seen by nobody and comes flagged");
        int least = flagged ? 2 : 1;
        int min = Math.max(least, 1 + attemptsMin);
        int max = Math.max(least, 1 + attemptsMax);
        Violation.check(
                delivery.deliveryCount() >= min && delivery.deliveryCount() <= max,
                Violation.Promise.COUNT,
                entry + " comes with count " + delivery.deliveryCount() + ", not " + min + " to " + max);
        return flagged && !mustFlag;
    }
}
