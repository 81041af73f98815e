package dev.turnstone.transport.vertx;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends an HTTP connection whose next request is not there in full in time, counted from the connect or from the last
 * answer. How long an answer takes is not the peer's fault. On the connection's event loop.
 */
// What cannot be written ends the connection, and that is heard of there.
@SuppressWarnings("FutureReturnValueIgnored")
final class RequestTimeout extends ChannelDuplexHandler {
    private final int timeoutMs;
    private @Nullable Future<?> running;
    private int unanswered;

    RequestTimeout(int timeoutMs) {
        this.timeoutMs = timeoutMs;
    }

    /** Takes it away: the connection does not speak HTTP any more. */
    static void lift(ChannelPipeline pipeline) {
        if (pipeline.get(RequestTimeout.class) != null) {
            pipeline.remove(RequestTimeout.class);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        start(context);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        stop();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof LastHttpContent) {
            unanswered++;
            look(context);
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean isOnTheWay =
                message instanceof HttpResponse response && response.status().code() < 200;
        if (message instanceof LastHttpContent && !isOnTheWay) {
            // An answer may be there before all of its request is.
            unanswered--;
            look(context);
        }
        context.write(message, promise);
    }

    private void look(ChannelHandlerContext context) {
        if (unanswered <= 0) {
            start(context);
        } else {
            stop();
        }
    }

    private void start(ChannelHandlerContext context) {
        stop();
        running = context.executor().schedule(() -> context.close(), timeoutMs, TimeUnit.MILLISECONDS);
    }

    private void stop() {
        if (running != null) {
            running.cancel(false);
        }
    }
}
