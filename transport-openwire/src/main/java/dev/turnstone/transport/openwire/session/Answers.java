package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import java.util.function.Function;
import org.apache.activemq.command.Command;
import org.apache.activemq.command.ConnectionError;
import org.apache.activemq.command.ExceptionResponse;
import org.apache.activemq.command.MessagePull;
import org.apache.activemq.command.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers a client's commands. On the event loop only. */
final class Answers {
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private final Outgoing outgoing;
    private final String remote;

    Answers(Outgoing outgoing, String remote) {
        this.outgoing = outgoing;
        this.remote = remote;
    }

    /** The command is carried out. */
    void done(Command command) {
        done(command, new Response());
    }

    /** The command is carried out, with this to tell. */
    void done(Command command, Response response) {
        if (command.isResponseRequired()) {
            response.setCorrelationId(command.getCommandId());
            outgoing.send(response);
        }
    }

    /** The command has had no effect. */
    void refused(Command command, BrokerException cause) {
        refused(command, Errors.of(cause));
    }

    /**
     * The command has had no effect. Who does not wait for an answer hears of it by its exception listener; but not of
     * an acknowledgement, whose message comes again, or of asking for one, which a client that comes back repeats for
     * consumers that it has closed.
     */
    void refused(Command command, Throwable cause) {
        LOG.debug("{}: refused {}: {}", remote, command, cause.toString());
        if (command.isResponseRequired()) {
            ExceptionResponse response = new ExceptionResponse(cause);
            response.setCorrelationId(command.getCommandId());
            outgoing.send(response);
        } else if (!command.isMessageAck() && !(command instanceof MessagePull)) {
            error(cause);
        }
    }

    /** Tells the client's exception listener. */
    void error(Throwable cause) {
        ConnectionError error = new ConnectionError();
        error.setException(cause);
        outgoing.send(error);
    }

    /** Answers when the broker has. */
    Completion to(Command command) {
        return to(command, Errors::of);
    }

    /** Answers when the broker has, with a refusal in these words. */
    Completion to(Command command, Function<BrokerException, Throwable> words) {
        return command.isResponseRequired()
                ? new Answer(command, words)
                : Completion.onFailure(cause -> refused(command, words.apply(cause)));
    }

    /** For what nobody waits for, and what may be over already. */
    Completion noted() {
        return Completion.onFailure(cause -> LOG.debug("{}: {}", remote, cause.getMessage()));
    }

    private final class Answer implements Completion {
        private final Command command;
        private final Function<BrokerException, Throwable> words;

        Answer(Command command, Function<BrokerException, Throwable> words) {
            this.command = command;
            this.words = words;
        }

        @Override
        public void done() {
            Answers.this.done(command);
        }

        @Override
        public void failed(BrokerException cause) {
            refused(command, words.apply(cause));
        }
    }
}
