package dev.turnstone.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * Makes logback do what the settings say. A configuration of logback's own that a user has given stays as it is. Any
 * thread.
 */
final class Logging {
    private static final String OWN_CONFIGURATION = "logback.configurationFile";
    private static final String CONSOLE = "console";
    /** That of {@code logback.xml}. */
    static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: "
            // Nothing that a client has chosen begins a line, or moves the cursor of who reads it.
            + "%replace(%replace(%msg"
            + "%replace(%replace( {%mdc}){'[\\p{Cc}\\p{Zl}\\p{Zp}]', '?'}){' \\{\\}', ''}"
            + "%n%ex){'[\\p{Cc}\\p{Zl}\\p{Zp}&&[^\\n\\t]]', '?'}){'(?<=\\n)(?=.)', '    '}";

    /** What libraries say below that does not concern a user. */
    private static final Map<String, LogSettings.Level> QUIET = Map.of(
            "io.netty", LogSettings.Level.WARN,
            "io.vertx", LogSettings.Level.WARN,
            "org.apache.activemq", LogSettings.Level.WARN,
            "io.smallrye", LogSettings.Level.WARN);

    private Logging() {}

    /** Takes the settings over. */
    static void apply(LogSettings settings) {
        if (System.getProperty(OWN_CONFIGURATION) != null
                || !(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return;
        }
        Map<String, LogSettings.Level> levels = new HashMap<>(QUIET);
        levels.putAll(settings.levels());
        for (Logger logger : context.getLoggerList()) {
            boolean root = logger.getName().equals(org.slf4j.Logger.ROOT_LOGGER_NAME);
            LogSettings.Level level = root ? settings.level() : levels.remove(logger.getName());
            logger.setLevel(level == null ? null : Level.toLevel(level.name()));
        }
        levels.forEach((name, level) -> context.getLogger(name).setLevel(Level.toLevel(level.name())));
        format(context, settings.format());
    }

    private static void format(LoggerContext context, LogSettings.Format format) {
        Appender<ILoggingEvent> console =
                context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender(CONSOLE);
        if (!(console instanceof OutputStreamAppender<ILoggingEvent> stream)) {
            return;
        }
        boolean json = stream.getEncoder() instanceof JsonEncoder;
        if (json == (format == LogSettings.Format.JSON)) {
            return;
        }
        Encoder<ILoggingEvent> encoder = json ? text() : json();
        encoder.setContext(context);
        encoder.start();
        stream.setEncoder(encoder);
    }

    /** One object a line. */
    static Encoder<ILoggingEvent> json() {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setWithSequenceNumber(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithContext(false);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithFormattedMessage(true);
        return encoder;
    }

    private static Encoder<ILoggingEvent> text() {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setPattern(PATTERN);
        return encoder;
    }
}
