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
        List<String> origins = settings.texts("allowedOrigins");
        for (String origin : origins) {
            String sent = Origins.sent(origin);
            if (!sent.equalsIgnoreCase(origin)) {
                throw settings.refused(
                        "allowedOrigins: no browser sends '" + origin + "' as a page's origin; '" + sent + "' is one");
            }
        }
        return new WebSettings(
                origins,
                settings.number("webSocketMessageBytesMax", 2_048 * KIB, 125),
                settings.number("webSocketLoginBytesMax", 128 * KIB, KIB),
                settings.flag("webSocketCompression", true));
    }
}
