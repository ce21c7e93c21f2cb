package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.interop.process.ChannelsJvm;
import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.PreloadedProgram;
import io.jverbs.samples.interop.process.RdmacmProgram;
import io.jverbs.samples.interop.program.HttpDownload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The HTTP server and the HTTP client of the JDK with curl and both nc of Debian: programs that know only the sockets
 * of Linux and are preloaded with librspreload. It needs rxe0: {@code .ci/rxe-samples} runs it in a virtual machine,
 * and its name keeps it out of the build's tests.
 */
class HttpInterop {
    private static final int FIRST_PORT = 19_500;
    private static final int FILE_BYTES = 300_000;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();
    private final byte[] bytes = new byte[FILE_BYTES];
    /** That of OpenBSD needs socket_flags.c. */
    private final List<Nc> programs = List.of(new Nc("nc.traditional", PreloadedProgram.RSOCKET),
            new Nc("nc.openbsd", settings.library("socket_flags.so") + ":" + PreloadedProgram.RSOCKET));

    @TempDir
    private Path folder;

    /** A program, and the libraries that it needs. */
    private record Nc(String program, String libraries) {}

    @BeforeEach
    void fill() {
        new Random(1).nextBytes(bytes);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text, StandardCharsets.ISO_8859_1);
    }

    private String read(String name) throws IOException {
        return Files.readString(folder.resolve(name), StandardCharsets.ISO_8859_1);
    }

    @Test
    void curlAndNcGetAFileFromTheHttpServerOfTheJdk() throws Exception {
        String port = Integer.toString(FIRST_PORT);
        Files.write(folder.resolve("file"), bytes);
        write("request", "GET /file HTTP/1.0\r\n\r\n");
        try (RdmacmProgram server = ChannelsJvm.startSample(settings,
                List.of("http-server", folder.toString(), "-b", settings.jvmAddress(), "-p", port))) {
            server.awaitLine("serves ");
            try (RdmacmProgram curl = PreloadedProgram.start(settings, List.of("curl", "--silent", "--show-error",
                    "--output", path("copy"), "http://" + settings.jvmAddress() + ":" + port + "/file"))) {
                Outcome ended = curl.await();
                String outputs = outputs(server, ended);
                assertEquals("0", ended.status(), outputs);
                assertArrayEquals(bytes, Files.readAllBytes(folder.resolve("copy")), outputs);
            }
            for (Nc nc : programs) {
                try (RdmacmProgram client = PreloadedProgram.start(settings, nc.libraries,
                        List.of(nc.program, "-n", settings.jvmAddress(), port), path("request"), path("response"))) {
                    checkResponse(client.await(), server);
                }
            }
        }
    }

    private static String outputs(RdmacmProgram server, Outcome client) {
        return new Outcome("none", server.lines()).describe("the server") + client.describe("the client");
    }

    private void checkResponse(Outcome client, RdmacmProgram server) throws IOException {
        String outputs = outputs(server, client);
        assertEquals("0", client.status(), outputs);
        byte[] response = Files.readAllBytes(folder.resolve("response"));
        assertTrue(read("response").startsWith("HTTP/1.1 200 OK\r\n"), outputs);
        assertArrayEquals(bytes, Arrays.copyOfRange(response, response.length - FILE_BYTES, response.length), outputs);
    }

    @Test
    void theHttpClientOfTheJdkGetsAFileFromNc() throws Exception {
        write("response", "HTTP/1.1 200 OK\r\nContent-Length: " + FILE_BYTES + "\r\nConnection: close\r\n\r\n"
                + new String(bytes, StandardCharsets.ISO_8859_1));
        try (RdmacmProgram traditional = serve(0);
                RdmacmProgram openbsd = serve(1);
                RdmacmProgram client = ChannelsJvm.start(settings, "always", HttpDownload.class.getName(),
                        List.of(uri(0), path("copy0"), uri(1), path("copy1")))) {
            Outcome ended = client.await();
            checkCopy(0, traditional.await(), ended);
            checkCopy(1, openbsd.await(), ended);
        }
    }

    private static String port(int number) {
        return Integer.toString(FIRST_PORT + 1 + number);
    }

    private String uri(int number) {
        return "http://" + settings.programAddress() + ":" + port(number) + "/file" + number;
    }

    private RdmacmProgram serve(int number) throws Exception {
        Nc nc = programs.get(number);
        RdmacmProgram server = PreloadedProgram.start(settings, nc.libraries,
                List.of(nc.program, "-v", "-n", "-l", "-s", settings.programAddress(), "-p", port(number)),
                path("response"), path("request" + number));
        // one of the programs writes it with a capital letter
        server.awaitLine("istening on");
        return server;
    }

    private void checkCopy(int number, Outcome server, Outcome client) throws IOException {
        String outputs = server.describe("the server") + client.describe("the client");
        assertEquals("0", client.status(), outputs);
        assertEquals("0", server.status(), outputs);
        assertArrayEquals(bytes, Files.readAllBytes(folder.resolve("copy" + number)), outputs);
        assertTrue(read("request" + number).startsWith("GET /file" + number + " HTTP/1.1\r\n"), outputs);
    }
}
