package io.jverbs.contract.interop;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.Writer;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Exchanges lines of text between the two processes through a UNIX domain socket. The socket connects the network
 * namespaces and is not affected by the network emulation.
 */
final class Control implements AutoCloseable {
    private final SocketChannel channel;
    private final BufferedReader in;
    private final Writer out;

    private Control(SocketChannel channel) {
        this.channel = channel;
        in = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
        out = Channels.newWriter(channel, StandardCharsets.UTF_8);
    }

    /** Waits for the other process to connect. */
    static Control accept(Path path) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(path));
            return new Control(listener.accept());
        }
    }

    /** Connects to the other process, which may not be listening yet. */
    static Control connect(Path path, long seconds) throws IOException, InterruptedException {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (true) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.connect(UnixDomainSocketAddress.of(path));
                return new Control(channel);
            } catch (SocketException e) {
                channel.close();
                if (System.nanoTime() > end) {
                    throw e;
                }
                Thread.sleep(50);
            }
        }
    }

    void send(String line) throws IOException {
        out.write(line + "\n");
        out.flush();
    }

    String receive() throws IOException {
        String line = in.readLine();
        if (line == null) {
            throw new EOFException("the other process has ended");
        }
        return line;
    }

    /** Waits until the other side has reached the same point. */
    void barrier(String where) throws IOException {
        String other = exchange(where);
        if (!other.equals(where)) {
            throw new IOException("this side is at \"" + where + "\" and the other at \"" + other + "\"");
        }
    }

    /** Sends a line and returns the line that the other side sends. */
    String exchange(String line) throws IOException {
        send(line);
        return receive();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
