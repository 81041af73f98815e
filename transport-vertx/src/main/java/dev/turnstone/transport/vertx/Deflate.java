package dev.turnstone.transport.vertx;

import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionData;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionFilter;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionFilterProvider;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionUtil;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtension;
import io.netty.handler.codec.http.websocketx.extensions.compression.PerMessageDeflateServerExtensionHandshaker;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Per-message deflate (RFC 7692). Neither side keeps anything between messages: deflating with a memory takes some 300
 * KiB for each connection, idle ones too. Any thread.
 */
final class Deflate {
    private static final String SERVER_NO_CONTEXT = "server_no_context_takeover";
    private static final String CLIENT_NO_CONTEXT = "client_no_context_takeover";
    private static final int LEVEL = 6;
    private static final int WINDOW_BITS = 15;
    /** Of smaller messages deflating saves less than it costs. */
    private static final int LEAST_BYTES = 256;

    private static final WebSocketExtensionFilterProvider FILTERS = new WebSocketExtensionFilterProvider() {
        @Override
        public WebSocketExtensionFilter encoderFilter() {
            return Deflate::isTooSmall;
        }

        @Override
        public WebSocketExtensionFilter decoderFilter() {
            return WebSocketExtensionFilter.NEVER_SKIP;
        }
    };

    private Deflate() {}

    private static boolean isTooSmall(WebSocketFrame frame) {
        return frame.isFinalFragment() && frame.content().readableBytes() < LEAST_BYTES;
    }

    /**
     * The first offer of a client that fits, or null if none does.
     *
     * @param offered the client's {@code Sec-WebSocket-Extensions}, empty if there is none
     * @param frameBytesMax how far one frame may be inflated
     */
    static @Nullable WebSocketServerExtension of(String offered, int frameBytesMax) {
        if (offered.isBlank()) {
            return null;
        }
        var handshaker = new PerMessageDeflateServerExtensionHandshaker(
                LEVEL, true, WINDOW_BITS, true, true, FILTERS, frameBytesMax);
        for (WebSocketExtensionData offer : WebSocketExtensionUtil.extractExtensions(offered)) {
            // A server may decide for both although the client does not ask (RFC 7692 sections 7.1.1.1 and 7.1.1.2).
            Map<String, String> parameters = new HashMap<>(offer.parameters());
            parameters.put(SERVER_NO_CONTEXT, null);
            parameters.put(CLIENT_NO_CONTEXT, null);
            WebSocketServerExtension extension =
                    handshaker.handshakeExtension(new WebSocketExtensionData(offer.name(), parameters));
            if (extension != null) {
                return extension;
            }
        }
        return null;
    }

    /** What the answer says about it. */
    static String header(WebSocketServerExtension extension) {
        WebSocketExtensionData data = extension.newReponseData();
        StringBuilder header = new StringBuilder(data.name());
        data.parameters().forEach((name, value) -> {
            header.append("; ").append(name);
            if (value != null) {
                header.append('=').append(value);
            }
        });
        return header.toString();
    }
}
