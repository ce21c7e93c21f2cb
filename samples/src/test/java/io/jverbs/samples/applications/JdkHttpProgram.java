package io.jverbs.samples.applications;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;

/** The HTTP server of the JDK echoes the body of a request to the HTTP client of the JDK. */
final class JdkHttpProgram {
    private JdkHttpProgram() {}

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(args[0], 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            HttpEcho.request(URI.create("http://" + args[0] + ":" + server.getAddress().getPort() + "/"));
        } finally {
            server.stop(0);
        }
        RdmaTraffic.ofSelectedDevice().print();
    }
}
