package io.jverbs.soft.processes;

import io.jverbs.ConnectionInfo;
import io.jverbs.Gid;
import io.jverbs.contract.end.remote.TestJvm;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM with the class path of this one, and a line to it. It ends with this JVM, as its line does. */
final class PeerProcess implements AutoCloseable {
    private static final String SOCKETS = "jverbs.soft.udp";
    private static final int START_MILLIS = 30_000;

    private final Process process;
    private final Line line;

    private PeerProcess(Process process, Line line) {
        this.process = process;
        this.line = line;
    }

    /**
     * Starts a program, which gets the port of its line as first argument and sockets of the same kind as this JVM is told to have,
     * and waits until it has called.
     */
    static PeerProcess start(Class<?> program, String... arguments) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            listener.setSoTimeout(START_MILLIS);
            List<String> command = new ArrayList<>(List.of(TestJvm.java(), "-cp", TestJvm.classPath()));
            String sockets = System.getProperty(SOCKETS);
            if (sockets != null) {
                command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-D" + SOCKETS + "=" + sockets));
            }
            command.addAll(List.of(program.getName(), Integer.toString(listener.getLocalPort())));
            command.addAll(List.of(arguments));
            Process process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            try {
                return new PeerProcess(process, new Line(listener.accept()));
            } catch (IOException e) {
                process.destroyForcibly();
                throw e;
            }
        }
    }

    Line line() {
        return line;
    }

    /** Ends it at once, as SIGKILL does. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(START_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the other JVM is not dead");
        }
    }

    @Override
    public void close() {
        line.close();
        process.destroyForcibly();
    }

    /** What two processes tell each other beside the traffic under test. */
    static final class Line implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;
        private final DataOutputStream out;

        Line(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(socket.getInputStream());
            this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            socket.setTcpNoDelay(true);
        }

        /** Calls the process that started this one. */
        static Line call(String port) throws IOException {
            return new Line(new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port)));
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

        /** Tells where a queue pair is reached, and hears where its peer is; both have the same MTU. */
        ConnectionInfo exchange(ConnectionInfo own) throws IOException {
            long[] peer = exchange(own.qpn(), own.psn(), own.gid().high(), own.gid().low());
            return new ConnectionInfo((int) peer[0], (int) peer[1], Gid.of(peer[2], peer[3]), own.mtu());
        }

        /** Waits until the other side is here too. */
        void meet() throws IOException {
            exchange(1);
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
