package dev.turnstone.transport.vertx;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/** Short answers in plain text. On event loops. */
final class HttpAnswers {
    private HttpAnswers() {}

    /** Ends the response; the connection stays usable. */
    static void plain(HttpServerRequest request, int status, String text) {
        request.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end(text + "\n");
    }
}
