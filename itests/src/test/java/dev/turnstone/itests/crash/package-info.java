/**
 * Kills a broker's process with -9 again and again while clients of every kind work, and counts what is lost, doubled
 * or half done. {@link dev.turnstone.itests.crash.Flow} is the account of one line of work,
 * {@link dev.turnstone.itests.crash.CrashCampaign} drives it; a new protocol adds workers and keeps both.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.itests.crash;
