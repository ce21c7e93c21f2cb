package io.jverbs.samples.pingpong;

import io.jverbs.samples.connect.MessageChannel;
import io.jverbs.samples.connect.Tcp;
import io.jverbs.samples.console.SampleFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Exchanges destinations with the peer over TCP, or over a connection of rdma_cm. Over TCP, the client sends its
 * destinations first. The server connects its queue pairs before it sends its own destinations, so that the client may
 * post as soon as it has them. The client's "done" completes the exchange.
 */
final class DestinationExchange {
    /** How long a side waits for a message over rdma_cm, once the sides are connected. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private DestinationExchange() {}

    /**
     * Exchanges destinations over a connection of rdma_cm, one at a time, of which the client sends its own first.
     *
     * @param messages the connection
     * @param client whether this side is the client
     * @param own the destinations of this side
     * @return the destinations of the peer, as many
     */
    static List<Destination> over(MessageChannel messages, boolean client, List<Destination> own) {
        List<Destination> peers = new ArrayList<>(own.size());
        for (int i = 0; i < own.size(); i++) {
            String part = "address " + (i + 1) + " of " + own.size();
            // the server waits for the end of the ping-pong, however long that takes
            Duration limit = own.get(i).equals(Destination.NONE) ? null : PATIENCE;
            if (client) {
                messages.send(own.get(i).toWire());
            }
            peers.add(Destination.ofWire(messages.receive(part, Destination.WIRE_BYTES, limit)));
            if (!client) {
                messages.send(own.get(i).toWire());
            }
        }
        return peers;
    }

    /**
     * Performs the client's part.
     *
     * @param host the server's host
     * @param port the server's TCP port
     * @param own the destinations of the client
     * @return the destinations of the server, as many
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
     * Performs the server's part for one client.
     *
     * @param port the TCP port to listen on
     * @param own the destinations of the server
     * @param connector connects the server's queue pairs to the client's destinations
     * @return the destinations of the client, as many
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

    /** Sends all destinations with one write, as the C programs reject a text that one read does not return whole. */
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
