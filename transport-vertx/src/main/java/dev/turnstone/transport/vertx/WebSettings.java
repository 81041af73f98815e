package dev.turnstone.transport.vertx;

import dev.turnstone.spi.ListenSetting;
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
    private static final ListenSetting ALLOWED_ORIGINS = new ListenSetting(
            "allowedOrigins",
            "",
            "whose [web pages](security.md#web-pages) may connect besides this machine's, each as a browser says it:"
                    + " `https://shop.example`");
    private static final ListenSetting MESSAGE_BYTES_MAX = ListenSetting.bytes(
            "webSocketMessageBytesMax", 2_048 * KIB, "one message of a WebSocket, once it is inflated");
    private static final ListenSetting LOGIN_BYTES_MAX = ListenSetting.bytes(
            "webSocketLoginBytesMax", 128 * KIB, "what a client may send over a WebSocket before it has logged in");
    private static final ListenSetting COMPRESSION = new ListenSetting(
            "webSocketCompression", "true", "whether messages are deflated for clients that offer it");

    /** All of them. */
    static final List<ListenSetting> ALL = List.of(ALLOWED_ORIGINS, MESSAGE_BYTES_MAX, LOGIN_BYTES_MAX, COMPRESSION);

    /** Reads them from a listener's settings. */
    static WebSettings read(ListenSettings settings) {
        List<String> origins = settings.texts(ALLOWED_ORIGINS);
        for (String origin : origins) {
            String sent = Origins.sent(origin);
            if (!sent.equalsIgnoreCase(origin)) {
                throw settings.refused(ALLOWED_ORIGINS.name() + ": no browser sends '" + origin
                        + "' as a page's origin; '" + sent + "' is one");
            }
        }
        return new WebSettings(
                origins,
                settings.number(MESSAGE_BYTES_MAX, 125),
                settings.number(LOGIN_BYTES_MAX, KIB),
                settings.flag(COMPRESSION));
    }
}
