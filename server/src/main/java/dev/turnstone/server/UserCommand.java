package dev.turnstone.server;

import dev.turnstone.server.security.ServerSecurity;
import dev.turnstone.server.security.Users;
import dev.turnstone.server.security.Users.Listed;
import dev.turnstone.server.security.UsersFile;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code turnstone user}: changes the users file; a broker that runs takes the change over within two seconds. */
@Command(
        name = "user",
        mixinStandardHelpOptions = true,
        description = "Add, change, remove and list the users of the users file.",
        subcommands = {
            UserCommand.Add.class,
            UserCommand.Passwd.class,
            UserCommand.Roles.class,
            UserCommand.Remove.class,
            UserCommand.ListAll.class
        })
final class UserCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "what about users? One of add, passwd, roles, remove, list; see --help");
    }

    /** Which users file. */
    static final class Place {
        @Mixin
        private SettingsOptions options = new SettingsOptions();

        Users users() {
            Settings settings = options.settings();
            Path file = settings.security().users();
            if (file == null) {
                throw new StartException("the settings have no security.users, which names the users file");
            }
            Path audit = ServerSecurity.auditPath(settings.security(), settings.data());
            return new Users(new UsersFile(file), audit, settings.security().passwords());
        }
    }

    /** Where the password comes from: the terminal, unless a file is named. */
    static final class PasswordSource {
        @Option(
                names = "--password-file",
                paramLabel = "FILE",
                description = "Take the password from the file's first line; - is the standard input."
                        + " Without it, it is asked for on the terminal.")
        private @Nullable Path file;

        String read() {
            return file == null ? PasswordInput.fromTerminal(Users::checkPassword) : PasswordInput.fromFile(file);
        }
    }

    private static Set<String> roles(@Nullable List<String> given) {
        return given == null ? Set.of() : new LinkedHashSet<>(given);
    }

    @Command(name = "add", mixinStandardHelpOptions = true, description = "Add a user.")
    static final class Add implements Runnable {
        @Mixin
        private Place place = new Place();

        @Mixin
        private PasswordSource password = new PasswordSource();

        @Option(names = "--no-password", description = "The user logs in by a client certificate only.")
        private boolean noPassword;

        @Option(
                names = "--role",
                paramLabel = "ROLE",
                split = ",",
                description = "What permissions are granted to; may be repeated.")
        private @Nullable List<String> roles;

        @Parameters(paramLabel = "NAME", description = "The user's name.")
        private String name;

        @Override
        public void run() {
            Users users = place.users();
            // Before a password is asked for.
            users.checkNew(name, UserCommand.roles(roles));
            users.add(name, noPassword ? null : password.read(), UserCommand.roles(roles));
        }
    }

    @Command(name = "passwd", mixinStandardHelpOptions = true, description = "Set a user's password.")
    static final class Passwd implements Runnable {
        @Mixin
        private Place place = new Place();

        @Mixin
        private PasswordSource password = new PasswordSource();

        @Parameters(paramLabel = "NAME", description = "The user's name.")
        private String name;

        @Override
        public void run() {
            Users users = place.users();
            users.checkExisting(name);
            users.changePassword(name, password.read());
        }
    }

    @Command(name = "roles", mixinStandardHelpOptions = true, description = "Give a user these roles and no others.")
    static final class Roles implements Runnable {
        @Mixin
        private Place place = new Place();

        @Parameters(index = "0", paramLabel = "NAME", description = "The user's name.")
        private String name;

        @Parameters(
                index = "1..*",
                paramLabel = "ROLE",
                arity = "0..*",
                description = "The roles; none takes all away.")
        private @Nullable List<String> roles;

        @Override
        public void run() {
            place.users().changeRoles(name, UserCommand.roles(roles));
        }
    }

    @Command(name = "remove", mixinStandardHelpOptions = true, description = "Remove a user; its connections end.")
    static final class Remove implements Runnable {
        @Mixin
        private Place place = new Place();

        @Parameters(paramLabel = "NAME", description = "The user's name.")
        private String name;

        @Override
        public void run() {
            place.users().remove(name);
        }
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "List the users with their roles.")
    static final class ListAll implements Runnable {
        @Spec
        private CommandSpec spec;

        @Mixin
        private Place place = new Place();

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public void run() {
            List<Listed> users = place.users().list();
            if (json.wanted()) {
                spec.commandLine().getOut().println(line(users));
                return;
            }
            for (Listed user : users) {
                String roles = user.roles().stream().collect(Collectors.joining(","));
                spec.commandLine()
                        .getOut()
                        .println(user.name()
                                + (roles.isEmpty() ? "" : " " + roles)
                                + (user.hasPassword() ? "" : " (no password)"));
            }
        }

        private static String line(List<Listed> users) {
            return Json.text(writer -> {
                writer.writeStartObject();
                Json.array(writer, "users", users, (to, user) -> {
                    to.writeStringField("name", user.name());
                    to.writeArrayFieldStart("roles");
                    for (String role : user.roles()) {
                        to.writeString(role);
                    }
                    to.writeEndArray();
                    to.writeBooleanField("password", user.hasPassword());
                });
                writer.writeEndObject();
            });
        }
    }
}
