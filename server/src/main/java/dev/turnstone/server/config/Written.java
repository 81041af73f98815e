package dev.turnstone.server.config;

/**
 * A value as it was written.
 *
 * @param text the text
 * @param origin where it is
 */
record Written(String text, Origin origin) {}
