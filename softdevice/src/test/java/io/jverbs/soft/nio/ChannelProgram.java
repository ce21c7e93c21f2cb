package io.jverbs.soft.nio;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;

/** A web server and its client, which know only the JDK; prints a response and what its channels use. */
public final class ChannelProgram {
    private ChannelProgram() {}

    /** Runs the program; the argument is the address of the server. */
    public static void main(String[] arguments) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getByName(arguments[0]), 0);
        HttpServer server = HttpServer.create(any, 0);
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        URI page = URI.create("http://" + arguments[0] + ":" + server.getAddress().getPort() + "/");
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> response = client.send(
                        HttpRequest.newBuilder(page).POST(HttpRequest.BodyPublishers.ofString("request " + i)).build(),
                        HttpResponse.BodyHandlers.ofString());
                System.out.println(response.statusCode() + " " + response.body());
            }
        }
        try (SocketChannel channel = SocketChannel.open(server.getAddress())) {
            System.out.println(channel.toString().replaceAll(" local=.*", ""));
        }
        try (DatagramChannel channel = DatagramChannel.open()) {
            System.out.println(channel.getClass().getPackageName());
        }
        server.stop(0);
    }
}
