package io.jverbs.bench.process;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/** The control connection between the two processes, over TCP. Not thread-safe. */
public final class ControlConnection implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    /**
     * Uses a connected socket, which {@link #close} closes.
     *
     * @param socket the socket
     * @throws IOException if the socket fails
     */
    public ControlConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        socket.setTcpNoDelay(true);
    }

    /**
     * Sends values, and receives as many from the other process.
     *
     * @param values the values to send
     * @return the values of the other process
     * @throws IOException if the connection fails
     */
    public long[] exchange(long... values) throws IOException {
        for (long value : values) {
            out.writeLong(value);
        }
        out.flush();
        long[] received = new long[values.length];
        for (int i = 0; i < received.length; i++) {
            received[i] = receive();
        }
        return received;
    }

    /** Sends a value, without waiting for one of the other process. */
    void send(long value) throws IOException {
        out.writeLong(value);
        out.flush();
    }

    /** Waits for a value of the other process. */
    long receive() throws IOException {
        return in.readLong();
    }

    /**
     * Waits until the other process calls this method too.
     *
     * @throws IOException if the connection fails
     */
    public void synchronize() throws IOException {
        exchange(0);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
