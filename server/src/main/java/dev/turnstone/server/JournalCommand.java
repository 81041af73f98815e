package dev.turnstone.server;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.turnstone.broker.store.Bodies;
import dev.turnstone.broker.store.RecordedFiles;
import dev.turnstone.journal.JournalFileReport;
import dev.turnstone.journal.JournalReport;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code turnstone journal}: looks at the journal and page files of a broker that does not run; changes nothing. */
@Command(
        name = "journal",
        mixinStandardHelpOptions = true,
        description = "Look at the journal of a broker that does not run; nothing is changed.",
        subcommands = {JournalCommand.Verify.class, JournalCommand.Stat.class})
final class JournalCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "what about the journal? One of verify, stat; see --help");
    }

    /** Which journal, and how to speak of it. */
    static final class Place {
        @Option(
                names = "--data",
                paramLabel = "DIR",
                description = "The data folder; without it the one of the broker's settings.")
        private @Nullable Path data;

        @Mixin
        private SettingsOptions options = new SettingsOptions();

        @Mixin
        private JsonOption json = new JsonOption();

        Path folder() {
            return data != null ? data : options.settings().data();
        }
    }

    @Command(
            name = "verify",
            mixinStandardHelpOptions = true,
            description =
                    "Check every checksum, of page files too. Exit code 1 if a broker would refuse to start on it,"
                            + " or stop when it comes to a page.")
    static final class Verify implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private Place place = new Place();

        @Override
        public Integer call() {
            Path folder = place.folder();
            JournalReport report = ArtemisJournalProvider.inspect(folder, RecordedFiles::of, Bodies::isChunk);
            PrintWriter out = spec.commandLine().getOut();
            if (place.json.wanted()) {
                out.println(JournalCommand.json(folder, report));
            } else {
                report.problems().forEach(out::println);
                out.println(folder + ": " + report.files().size() + " files, "
                        + report.pages().chunks() + " chunks of large bodies, "
                        + report.pages().files() + " page files, "
                        + (report.problems().isEmpty()
                                ? "sound"
                                : report.problems().size() + " damaged"));
            }
            return report.problems().isEmpty() ? 0 : Main.FAILED;
        }
    }

    @Command(
            name = "stat",
            mixinStandardHelpOptions = true,
            description = "Count what lives in it, and the space that it takes.")
    static final class Stat implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private Place place = new Place();

        @Override
        public Integer call() {
            Path folder = place.folder();
            JournalReport report = ArtemisJournalProvider.inspect(folder, RecordedFiles::of, Bodies::isChunk);
            PrintWriter out = spec.commandLine().getOut();
            if (place.json.wanted()) {
                out.println(JournalCommand.json(folder, report));
            } else {
                JournalCommand.print(out, folder, report);
            }
            return report.problems().isEmpty() ? 0 : Main.FAILED;
        }
    }

    private static void print(PrintWriter out, Path folder, JournalReport report) {
        out.println("data " + folder);
        out.println("format " + report.format());
        for (JournalFileReport file : report.files()) {
            out.println("file " + file.name() + " " + state(file) + " " + file.dataBytes() + " of " + file.bytes()
                    + " bytes");
        }
        report.problems().forEach(problem -> out.println("problem " + problem));
        out.println("space " + space(report) + " bytes in " + report.files().size() + " files");
        JournalReport.Pages pages = report.pages();
        out.println("pages " + pages.bytes() + " bytes in " + pages.files() + " files, " + pages.leftOver()
                + " of them left over, " + pages.chunks() + " chunks of large bodies");
        JournalReport.Living living = report.living();
        if (living != null) {
            out.println("living " + living.records() + " records, " + living.payloadBytes() + " bytes, "
                    + living.moved() + " moved by compactions");
            living.types()
                    .forEach((type, of) -> out.println(
                            "type " + type + " " + of.records() + " records, " + of.payloadBytes() + " bytes"));
        }
    }

    private static String state(JournalFileReport file) {
        return file.state().name().toLowerCase(Locale.ROOT);
    }

    private static long space(JournalReport report) {
        return report.files().stream().mapToLong(JournalFileReport::bytes).sum();
    }

    private static String json(Path folder, JournalReport report) {
        return Json.text(json -> {
            json.writeStartObject();
            json.writeStringField("data", folder.toString());
            json.writeNumberField("format", report.format());
            json.writeBooleanField("sound", report.problems().isEmpty());
            json.writeNumberField("bytes", space(report));
            Json.array(json, "files", report.files(), JournalCommand::writeFile);
            json.writeArrayFieldStart("problems");
            for (String problem : report.problems()) {
                json.writeString(problem);
            }
            json.writeEndArray();
            json.writeObjectFieldStart("pages");
            json.writeNumberField("files", report.pages().files());
            json.writeNumberField("bytes", report.pages().bytes());
            json.writeNumberField("leftOver", report.pages().leftOver());
            json.writeNumberField("chunks", report.pages().chunks());
            json.writeEndObject();
            writeLiving(json, report.living());
            json.writeEndObject();
        });
    }

    private static void writeFile(JsonGenerator json, JournalFileReport file) throws IOException {
        json.writeStringField("name", file.name());
        json.writeNumberField("id", file.id());
        json.writeStringField("state", state(file));
        json.writeNumberField("bytes", file.bytes());
        json.writeNumberField("dataBytes", file.dataBytes());
    }

    private static void writeLiving(JsonGenerator json, JournalReport.@Nullable Living living) throws IOException {
        if (living == null) {
            json.writeNullField("living");
            return;
        }
        json.writeObjectFieldStart("living");
        json.writeNumberField("records", living.records());
        json.writeNumberField("payloadBytes", living.payloadBytes());
        json.writeNumberField("moved", living.moved());
        Json.array(json, "types", living.types().entrySet(), (out, type) -> {
            out.writeNumberField("type", type.getKey());
            out.writeNumberField("records", type.getValue().records());
            out.writeNumberField("payloadBytes", type.getValue().payloadBytes());
        });
        json.writeEndObject();
    }
}
