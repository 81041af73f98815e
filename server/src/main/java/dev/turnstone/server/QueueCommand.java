package dev.turnstone.server;

import dev.turnstone.server.load.LoadTarget;
import dev.turnstone.server.load.StompDeletion;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code turnstone queue}: what is done to queues of a broker that runs. */
@Command(
        name = "queue",
        mixinStandardHelpOptions = true,
        description = "Delete queues of a broker that runs.",
        subcommands = QueueCommand.Delete.class)
final class QueueCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "what about queues? delete; see --help");
    }

    /** {@code turnstone queue delete}. */
    @Command(
            name = "delete",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Delete a queue with its messages, over the broker's STOMP listener. Refused while it has a"
                    + " consumer or unsettled messages; needs the permission delete.")
    static final class Delete implements Runnable {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "NAME", description = "The queue's name.")
        private String name;

        @Option(
                names = "--url",
                paramLabel = "URL",
                defaultValue = "stomp://127.0.0.1:61613",
                description =
                        "Where the broker listens: stomp://HOST:PORT, or stomp+ssl with TLS;" + " ${DEFAULT-VALUE}.")
        private String url;

        @Option(names = "--user", paramLabel = "NAME", description = "The user; without it nobody.")
        private @Nullable String user;

        @Option(
                names = "--password-file",
                paramLabel = "FILE",
                description = "The user's password, in the file's first line; - is the standard input.")
        private @Nullable Path passwordFile;

        @Override
        public void run() {
            String password = PasswordInput.ofUser(user, passwordFile, spec.commandLine());
            LoadTarget target = PerfTarget.stomp(url, user, password);
            try {
                StompDeletion.delete(target, name);
            } catch (IOException e) {
                throw new StartException(String.valueOf(e.getMessage()), e);
            }
            spec.commandLine().getOut().println("deleted queue " + name);
        }
    }
}
