package dev.turnstone.port;

import org.jspecify.annotations.Nullable;

/**
 * Who wants to connect, from where.
 *
 * @param user the user's name, or null for anonymous
 * @param password the password or token, or null; never shown by {@link #toString}
 * @param clientId the client identifier, unique among connections, or null for none
 * @param protocol the protocol's name in lower case, such as {@code stomp}
 * @param remote the peer's address for logs, such as {@code 127.0.0.1:40404} or {@code vm}
 */
public record Login(
        @Nullable String user,
        @Nullable String password,
        @Nullable String clientId,
        String protocol,
        String remote) {
    @Override
    public String toString() {
        return "Login[user=" + user + ", clientId=" + clientId + ", protocol=" + protocol + ", remote=" + remote + "]";
    }
}
