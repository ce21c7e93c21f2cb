package io.jverbs.samples.interop.program;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;

/** Downloads files with the HTTP client of the JDK, and prints the statuses of the responses. */
public final class HttpDownload {
    private HttpDownload() {}

    /**
     * Runs the program.
     *
     * @param args for each file, its URI and the path of the copy
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int i = 0; i < args.length; i += 2) {
                HttpResponse<Path> response = client.send(HttpRequest.newBuilder(URI.create(args[i])).build(),
                        HttpResponse.BodyHandlers.ofFile(Path.of(args[i + 1])));
                System.out.println("status " + response.statusCode());
            }
        }
    }
}
