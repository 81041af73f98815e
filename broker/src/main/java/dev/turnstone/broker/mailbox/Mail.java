package dev.turnstone.broker.mailbox;

/** Something posted to the engine. Immutable for the poster once posted; opened once, by the engine. */
@FunctionalInterface
public interface Mail {
    /** Does it, within the engine's turn; returns how many commands it held. */
    int open();
}
