package io.jverbs.samples.pingpong;

import io.jverbs.samples.SampleFailure;
import io.jverbs.samples.connect.Tcp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells the peer over TCP where the own queue pairs are reached, and learns the same of it. The client speaks first; the server
 * answers when its queue pairs are connected, so that the client may send at once; the client's "done" ends it.
 */
final class Exchange {
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private Exchange() {}

    /**
     * Plays the client.
     *
     * @param host the server
     * @param port its TCP port
     * @param own where the own queue pairs are reached
     * @return where the peer's are, as many
     */
    static List<Destination> asClient(String host, int port, List<Destination> own) {
        try (Socket socket = Tcp.connect(host, port).socket()) {
            send(socket, own);
            List<Destination> peers = receive(socket, own.size());
            socket.getOutputStream().write(DONE);
            return peers;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Plays the server, for one client.
     *
     * @param port the TCP port to listen on
     * @param own where the own queue pairs are reached
     * @param connector connects them to the client's
     * @return where the client's are, as many
     */
    static List<Destination> asServer(int port, List<Destination> own, Consumer<List<Destination>> connector) {
        try (Socket socket = Tcp.accept(port).socket()) {
            List<Destination> peers = receive(socket, own.size());
            connector.accept(peers);
            send(socket, own);
            byte[] done = read(socket.getInputStream(), DONE.length, "the client's \"done\"");
            if (!new String(done, StandardCharsets.ISO_8859_1).equals(new String(DONE, StandardCharsets.US_ASCII))) {
                throw new SampleFailure("the client did not end the exchange of addresses with \"done\".");
            }
            return peers;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** In one piece: the C programs take a text for incomplete that does not come with a single read. */
    private static void send(Socket socket, List<Destination> own) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream(own.size() * Destination.WIRE_BYTES);
        for (Destination destination : own) {
            text.write(destination.toWire());
        }
        socket.getOutputStream().write(text.toByteArray());
    }

    private static List<Destination> receive(Socket socket, int count) throws IOException {
        InputStream in = socket.getInputStream();
        List<Destination> peers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            peers.add(Destination.ofWire(read(in, Destination.WIRE_BYTES, "address " + (i + 1) + " of " + count)));
        }
        return peers;
    }

    private static byte[] read(InputStream in, int length, String what) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new SampleFailure("the peer closed the connection after " + bytes.length + " of " + length
                    + " bytes of " + what + ": it failed, or it is another ping-pong program.");
        }
        return bytes;
    }

    private static SampleFailure failed(IOException e) {
        return new SampleFailure("the exchange of addresses failed: " + e.getMessage() + ".");
    }
}
