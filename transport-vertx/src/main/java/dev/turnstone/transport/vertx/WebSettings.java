package dev.turnstone.transport.vertx;

import java.util.List;

/**
 * What an HTTP listener can be told about WebSocket.
 *
 * @param allowedOrigins which pages of other machines may connect, as {@code https://shop.example}; {@code *} for all
 * @param messageBytesMax the largest message, once it is inflated
 * @param loginBytesMax how many bytes a peer may send before it has logged in
 * @param compression whether messages are deflated for clients that offer it
 */
record WebSettings(List<String> allowedOrigins, int messageBytesMax, int loginBytesMax, boolean compression) {
    private static final int KIB = 1024;

    /** Reads them from a listener's settings. */
    static WebSettings read(ListenSettings settings) {
        return new WebSettings(
                settings.texts("allowedOrigins"),
                settings.number("webSocketMessageBytesMax", 2_048 * KIB, 125),
                settings.number("webSocketLoginBytesMax", 128 * KIB, KIB),
                settings.flag("webSocketCompression", true));
    }
}
