package io.jverbs.samples.interop.program;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Accepts connections, opens one to another address for each, and copies the bytes of both directions. With a rule of
 * the provider that has one of the addresses, a connection over RDMA continues over TCP, or the other way round.
 */
public final class Forwarder {
    private static final int BUFFER_BYTES = 1 << 16;

    private Forwarder() {}

    /**
     * Runs the program until it is killed.
     *
     * @param args the address and the port where it listens, and those to which it connects
     */
    public static void main(String[] args) throws IOException {
        InetSocketAddress local = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        InetSocketAddress target = new InetSocketAddress(args[2], Integer.parseInt(args[3]));
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(local)) {
            System.out.println("forwards to " + target);
            while (true) {
                SocketChannel accepted = listener.accept();
                Thread.ofPlatform().daemon().start(() -> forward(accepted, target));
            }
        }
    }

    private static void forward(SocketChannel accepted, InetSocketAddress target) {
        try (accepted; SocketChannel connected = SocketChannel.open(target)) {
            Thread responses = Thread.ofPlatform().daemon().start(() -> copy(connected, accepted));
            copy(accepted, connected);
            responses.join();
        } catch (IOException | InterruptedException e) {
            System.out.println(e);
        }
    }

    /** Copies until the end of the stream, which it passes on. */
    private static void copy(SocketChannel from, SocketChannel to) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        try {
            while (from.read(buffer.clear()) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    to.write(buffer);
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // one side has closed its connection: nothing more is read from it, or written to it
            System.out.println(e);
        }
    }
}
