package dev.turnstone.port;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who wants to connect, from where.
 *
 * @param user the user's name, or null for anonymous
 * @param password the password or token, or null; never shown by {@link #toString}
 * @param clientId the client identifier, unique among connections, or null for none
 * @param protocol the protocol's name in lower case, such as {@code stomp}
 * @param remote the peer's numeric address and port, such as {@code 127.0.0.1:40404} or {@code [::1]:40404}, or
 *     {@link #SAME_JVM}
 * @param tlsSubject the subject of the client certificate that TLS has verified, or null if there is none
 */
public record Login(
        @Nullable String user,
        @Nullable String password,
        @Nullable String clientId,
        String protocol,
        String remote,
        @Nullable String tlsSubject) {
    /** The {@link #remote} of a peer in the broker's JVM. */
    public static final String SAME_JVM = "vm";

    private static final Pattern LOOPBACK =
            Pattern.compile("(127(\\.\\d{1,3}){3}|\\[?(::1|(0{1,4}:){7}0{0,3}1)(%\\w+)?]?):\\d+");

    /** A login without a client certificate. */
    public Login(
            @Nullable String user,
            @Nullable String password,
            @Nullable String clientId,
            String protocol,
            String remote) {
        this(user, password, clientId, protocol, remote, null);
    }

    /** True if the peer is in the broker's JVM, or has come over the loopback interface of its machine. */
    public boolean isLoopback() {
        return remote.equals(SAME_JVM) || LOOPBACK.matcher(remote).matches();
    }

    @Override
    public String toString() {
        return "Login[user=" + user + ", clientId=" + clientId + ", protocol=" + protocol + ", remote=" + remote
                + ", tlsSubject=" + tlsSubject + "]";
    }
}
