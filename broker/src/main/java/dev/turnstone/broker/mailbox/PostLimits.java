package dev.turnstone.broker.mailbox;

/**
 * How much each session may have posted that the engine has not taken.
 *
 * @param commandsMax commands
 * @param bytesMax bytes of messages
 */
public record PostLimits(long commandsMax, long bytesMax) {}
