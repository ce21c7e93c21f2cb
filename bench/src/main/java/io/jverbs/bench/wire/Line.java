package io.jverbs.bench.wire;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/** What the two processes tell each other beside the traffic that is measured. */
final class Line implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    Line(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        socket.setTcpNoDelay(true);
    }

    /** Tells values, and hears as many. */
    long[] exchange(long... values) throws IOException {
        for (long value : values) {
            out.writeLong(value);
        }
        out.flush();
        long[] heard = new long[values.length];
        for (int i = 0; i < heard.length; i++) {
            heard[i] = in.readLong();
        }
        return heard;
    }

    /** Waits until the other side is here too. */
    void meet() throws IOException {
        exchange(0);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
