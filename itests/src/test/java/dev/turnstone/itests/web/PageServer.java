package dev.turnstone.itests.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Serves the test's page and the client's script, and keeps what the page reports. */
final class PageServer implements AutoCloseable {
    private static final Map<String, String> TYPES =
            Map.of("html", "text/html; charset=utf-8", "js", "text/javascript; charset=utf-8");

    private final HttpServer server;
    private final List<String> results = new CopyOnWriteArrayList<>();

    PageServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String at(String host) {
        return "http://" + host + ":" + server.getAddress().getPort();
    }

    /** What the page has reported, a line each. */
    List<String> results() {
        return results;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/result")) {
                byte[] line = exchange.getRequestBody().readAllBytes();
                results.add(new String(line, StandardCharsets.UTF_8));
                exchange.sendResponseHeaders(204, -1);
                return;
            }
            byte[] content = content(path.equals("/") ? "index.html" : path.substring(1));
            if (content.length == 0) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            String type = TYPES.getOrDefault(path.substring(path.lastIndexOf('.') + 1), TYPES.get("html"));
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content);
        }
    }

    private static byte[] content(String name) throws IOException {
        if (name.equals("stomp.umd.js")) {
            return Files.readAllBytes(Clients.installed("@stomp/stompjs/bundles/stomp.umd.js"));
        }
        try (InputStream page = PageServer.class.getResourceAsStream("/browser/" + name)) {
            return page == null ? new byte[0] : page.readAllBytes();
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
