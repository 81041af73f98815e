package dev.turnstone.port;

/**
 * Asks what became of a commit whose answer was lost.
 *
 * @param commitId the identifier that was given to {@link Session#commit(long, String, Completion)}
 * @param connection the {@link Connection#id} of the connection that committed; it ends if it is still there, unless
 *     the question comes from it
 * @param ageMs how long ago the identifier was made up, milliseconds, rather too much than too little: an answer is
 *     remembered for {@code dedup.horizonMs}, and what is older is refused with OUTCOME_UNKNOWN
 */
public record OutcomeQuery(String commitId, String connection, long ageMs) {}
