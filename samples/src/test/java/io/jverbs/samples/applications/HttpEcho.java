package io.jverbs.samples.applications;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;

/** A request by the HTTP client of the JDK to a server that echoes the body. */
final class HttpEcho {
    /** The length of the body. */
    static final int BYTES = 300_000;

    private HttpEcho() {}

    /** Sends a request and prints the response. */
    static void request(URI server) throws Exception {
        byte[] body = Payload.of(BYTES);
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpResponse<byte[]> response = client.send(
                    HttpRequest.newBuilder(server).POST(HttpRequest.BodyPublishers.ofByteArray(body)).build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            System.out.println("status " + response.statusCode() + ", the body is "
                    + (Arrays.equals(body, response.body()) ? "the same" : "another"));
        }
    }
}
