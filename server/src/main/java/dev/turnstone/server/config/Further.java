package dev.turnstone.server.config;

/**
 * A setting that entries of an {@link Extensible} may have beside their value.
 *
 * @param name as the entry has it
 * @param standard its default as one would write it; empty for none
 * @param meaning what it is for: a phrase without a full stop, as Markdown
 */
public record Further(String name, String standard, String meaning) {}
