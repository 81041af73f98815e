package dev.turnstone.xa;

import dev.turnstone.jms.TurnstoneXAConnectionFactory;
import jakarta.jms.XAConnectionFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;

/**
 * How {@link TurnstoneNarayana} starts. Immutable.
 *
 * @param folder where the transaction manager keeps its log; of one process at a time
 * @param nodeId who this manager is, the same after a restart and unlike that of any other manager of the same brokers
 *     and databases, at most 28 bytes; null for one that is made at the first start and kept in the folder
 * @param brokers the factories of the brokers that take part in transactions, by names that stay the same over restarts
 * @param databases the databases that take part, by such names
 * @param timeoutSeconds after which a transaction rolls back that says nothing else; 300
 * @param recoverySeconds how long recovery rests between its scans; 10
 */
public record NarayanaConfig(
        Path folder,
        @Nullable String nodeId,
        Map<String, XAConnectionFactory> brokers,
        Map<String, XADataSource> databases,
        int timeoutSeconds,
        int recoverySeconds) {
    private static final int NODE_ID_MAX = 28;
    private static final int TIMEOUT_SECONDS = 300;
    private static final int RECOVERY_SECONDS = 10;

    /** Checks what is given. */
    public NarayanaConfig {
        if (nodeId != null && (nodeId.isEmpty() || nodeId.getBytes(StandardCharsets.UTF_8).length > NODE_ID_MAX)) {
            throw new IllegalArgumentException("a node id has 1 to " + NODE_ID_MAX + " bytes, not '" + nodeId + "'");
        } else if (timeoutSeconds < 1 || recoverySeconds < 1) {
            throw new IllegalArgumentException("a time-out, and the rest between scans, is at least a second");
        }
        brokers = Map.copyOf(brokers);
        databases = Map.copyOf(databases);
    }

    /** A manager with its log in this folder, which is made if it is not there; nothing takes part yet. */
    public static NarayanaConfig in(Path folder) {
        return new NarayanaConfig(folder, null, Map.of(), Map.of(), TIMEOUT_SECONDS, RECOVERY_SECONDS);
    }

    /** With this node id. */
    public NarayanaConfig withNodeId(String id) {
        return new NarayanaConfig(folder, id, brokers, databases, timeoutSeconds, recoverySeconds);
    }

    /** And the broker of this URL, whose name is the URL. */
    public NarayanaConfig withBroker(String url) {
        return withBroker(url, new TurnstoneXAConnectionFactory(url));
    }

    /** And this broker, under a name. */
    public NarayanaConfig withBroker(String name, XAConnectionFactory factory) {
        return new NarayanaConfig(
                folder, nodeId, with(brokers, name, factory), databases, timeoutSeconds, recoverySeconds);
    }

    /** And this database, under a name. */
    public NarayanaConfig withDatabase(String name, XADataSource source) {
        return new NarayanaConfig(
                folder, nodeId, brokers, with(databases, name, source), timeoutSeconds, recoverySeconds);
    }

    /** With this time-out of transactions that say nothing else. */
    public NarayanaConfig withTimeoutSeconds(int seconds) {
        return new NarayanaConfig(folder, nodeId, brokers, databases, seconds, recoverySeconds);
    }

    /** With this rest between the scans of recovery. */
    public NarayanaConfig withRecoverySeconds(int seconds) {
        return new NarayanaConfig(folder, nodeId, brokers, databases, timeoutSeconds, seconds);
    }

    private static <T> Map<String, T> with(Map<String, T> known, String name, T added) {
        Map<String, T> more = new LinkedHashMap<>(known);
        if (more.put(name, added) != null) {
            throw new IllegalArgumentException("two are called '" + name + "'");
        }
        return more;
    }
}
