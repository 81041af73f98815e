package dev.turnstone.broker.session;

import dev.turnstone.broker.mailbox.Mail;

/** Commands of one session, posted together. The poster touches nothing of it again. */
final class Post implements Mail {
    private final SessionState session;
    private final Command[] commands;
    private final int count;
    private final long bytes;
    private int next;

    Post(SessionState session, Command[] commands, int count, long bytes) {
        this.session = session;
        this.commands = commands;
        this.count = count;
        this.bytes = bytes;
    }

    @Override
    public int open() {
        session.accept(this);
        return count;
    }

    Command command(int index) {
        return commands[index];
    }

    /** The index of its first command that was not done. */
    int next() {
        return next;
    }

    /** Those before this one are done. */
    void doneBefore(int index) {
        next = index;
    }

    int count() {
        return count;
    }

    /** True if it closes the session. */
    boolean closes() {
        for (int i = next; i < count; i++) {
            if (commands[i] instanceof Command.Close) {
                return true;
            }
        }
        return false;
    }

    /** True if it sends what must be stored. */
    boolean needsDisk() {
        for (int i = 0; i < count; i++) {
            boolean sends = commands[i] instanceof Command.SendMessage send
                    && send.send().message().persistent();
            if (sends || commands[i] instanceof BodyCommand.Append) {
                return true;
            }
        }
        return false;
    }

    /** The bytes of its messages; 0 if it sends none. */
    long bytes() {
        return bytes;
    }
}
