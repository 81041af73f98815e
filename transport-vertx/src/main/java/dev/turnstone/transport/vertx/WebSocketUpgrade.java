package dev.turnstone.transport.vertx;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtension;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns HTTP connections into WebSockets (RFC 6455 section 4.2), with Netty's codec for what follows. It does without
 * Vert.x's own WebSocket so that a connection stays the socket that TCP connections are too: the same back-pressure,
 * the same end, and limits before anything is inflated. On event loops.
 */
final class WebSocketUpgrade {
    private static final Logger LOG = LoggerFactory.getLogger(WebSocketUpgrade.class);
    /** RFC 6455 section 1.3. */
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private static final int KEY_BYTES = 16;
    private static final String VERSION = "13";

    private final WireSettings wire;
    private final WebSettings web;
    private final Origins origins;

    WebSocketUpgrade(WireSettings wire, WebSettings web) {
        this.wire = wire;
        this.web = web;
        this.origins = new Origins(web.allowedOrigins());
    }

    /** Whether a request asks for a WebSocket. */
    static boolean isAskedFor(HttpServerRequest request) {
        return has(request, HttpHeaders.UPGRADE, "websocket");
    }

    private static boolean has(HttpServerRequest request, CharSequence header, String word) {
        return words(request, header).stream().anyMatch(word::equalsIgnoreCase);
    }

    private static List<String> words(HttpServerRequest request, CharSequence header) {
        return request.headers().getAll(header).stream()
                .flatMap(value -> Arrays.stream(value.split(",")))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** Answers a request and hands the connection to the protocol, or refuses it. */
    void answer(HttpServerRequest request, WebSocketProtocol protocol) {
        String key = request.getHeader(HttpHeaderNames.SEC_WEBSOCKET_KEY);
        if (!isWellFormed(request) || !isKey(key)) {
            HttpAnswers.plain(request, 400, "this is no WebSocket handshake as in RFC 6455");
        } else if (!VERSION.equals(request.getHeader(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
            request.response().putHeader(HttpHeaderNames.SEC_WEBSOCKET_VERSION, VERSION);
            HttpAnswers.plain(request, 426, "WebSocket has version 13 here");
        } else if (!origins.allow(request.getHeader(HttpHeaders.ORIGIN))) {
            LOG.warn(
                    "{}: refused a page of {} (allowedOrigins)",
                    request.remoteAddress(),
                    request.getHeader(HttpHeaders.ORIGIN));
            HttpAnswers.plain(
                    request, 403, "pages of this origin may not connect; 'allowedOrigins' lists those that may");
        } else {
            negotiate(request, protocol, String.valueOf(key));
        }
    }

    private static boolean isWellFormed(HttpServerRequest request) {
        return HttpMethod.GET.equals(request.method())
                && request.version() == HttpVersion.HTTP_1_1
                && request.headers().contains(HttpHeaders.HOST)
                && has(request, HttpHeaders.CONNECTION, "upgrade")
                && !request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
                && hasNoBody(request);
    }

    private static boolean hasNoBody(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null || length.equals("0");
    }

    private static boolean isKey(@Nullable String key) {
        try {
            return key != null && Base64.getDecoder().decode(key.strip()).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            LOG.debug("a key that is no Base64", e);
            return false;
        }
    }

    private void negotiate(HttpServerRequest request, WebSocketProtocol protocol, String key) {
        List<String> wanted = words(request, HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL);
        String chosen = protocol.subProtocols().stream()
                .filter(wanted::contains)
                .findFirst()
                .orElse(null);
        if (chosen == null && (protocol.subProtocolRequired() || !wanted.isEmpty())) {
            HttpAnswers.plain(
                    request,
                    400,
                    "Sec-WebSocket-Protocol must be one of " + String.join(", ", protocol.subProtocols()));
            return;
        }
        var headers = request.response().headers();
        headers.set(HttpHeaders.UPGRADE, "websocket").set(HttpHeaders.CONNECTION, "Upgrade");
        headers.set(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT, accept(key.strip()));
        if (chosen != null) {
            headers.set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, chosen);
        }
        String offered = String.join(",", request.headers().getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS));
        WebSocketServerExtension deflate = web.compression() ? Deflate.of(offered, web.messageBytesMax()) : null;
        if (deflate != null) {
            headers.set(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS, Deflate.header(deflate));
        }
        request.toNetSocket().onComplete(done -> {
            if (done.succeeded()) {
                open(done.result(), PeerAddress.of(request), protocol, deflate);
            } else {
                LOG.debug("{}: the upgrade failed", request.remoteAddress(), done.cause());
                request.connection().close();
            }
        });
    }

    private void open(
            NetSocket upgraded,
            SocketAddress client,
            WebSocketProtocol protocol,
            @Nullable WebSocketServerExtension deflate) {
        NetSocketInternal socket = (NetSocketInternal) upgraded;
        WebSocketCodec codec = new WebSocketCodec(protocol.text(), web.messageBytesMax(), wire.lingerMs());
        ChannelPipeline pipeline = socket.channelHandlerContext().pipeline();
        String last = socket.channelHandlerContext().name();
        RequestTimeout.lift(pipeline);
        pipeline.addBefore(last, "stranger", new StrangerLimit(codec, web.loginBytesMax()));
        pipeline.addBefore(last, "decoder", new WebSocket13FrameDecoder(decoding(deflate != null)));
        pipeline.addBefore(last, "encoder", new WebSocket13FrameEncoder(false));
        if (deflate != null) {
            pipeline.addBefore(last, "inflate", deflate.newExtensionDecoder());
            pipeline.addBefore(last, "deflate", deflate.newExtensionEncoder());
        }
        pipeline.addBefore(last, "utf8", new Utf8FrameValidator(false));
        pipeline.addBefore(last, "messages", codec);
        new Wire(client, wire, codec).open(socket, protocol.protocol());
    }

    private WebSocketDecoderConfig decoding(boolean extensions) {
        return WebSocketDecoderConfig.newBuilder()
                .maxFramePayloadLength(web.messageBytesMax())
                .expectMaskedFrames(true)
                .allowMaskMismatch(false)
                .allowExtensions(extensions)
                .closeOnProtocolViolation(false)
                .withUTF8Validator(false)
                .build();
    }

    private static String accept(String key) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            byte[] digest = sha1.digest((key + MAGIC).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
