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

/**
 * Another JVM with the class path of this one, and a TCP connection to it. When this JVM ends, the connection closes
 * and the other JVM ends.
 */
final class PeerProcess implements AutoCloseable {
    private static final String SOCKETS = "jverbs.soft.udp";
    private static final int START_MILLIS = 30_000;

    private final Process process;
    private final ControlChannel control;

    private PeerProcess(Process process, ControlChannel control) {
        this.process = process;
        this.control = control;
    }

    /**
     * Starts a program and waits until it has connected. The program gets the TCP port to connect to as its first
     * argument, and the same property that selects the kind of UDP sockets as this JVM.
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
                return new PeerProcess(process, new ControlChannel(listener.accept()));
            } catch (IOException e) {
                process.destroyForcibly();
                throw e;
            }
        }
    }

    ControlChannel control() {
        return control;
    }

    /** Kills the process with SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(START_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the peer process still runs after SIGKILL");
        }
    }

    @Override
    public void close() {
        control.close();
        process.destroyForcibly();
    }

    /** The TCP connection between the two processes, apart from the traffic under test. */
    static final class ControlChannel implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;
        private final DataOutputStream out;

        ControlChannel(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(socket.getInputStream());
            this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            socket.setTcpNoDelay(true);
        }

        /** Connects to the process that started this one. */
        static ControlChannel connect(String port) throws IOException {
            return new ControlChannel(new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port)));
        }

        /** Sends values and receives as many from the peer. */
        long[] exchange(long... values) throws IOException {
            for (long value : values) {
                out.writeLong(value);
            }
            out.flush();
            long[] received = new long[values.length];
            for (int i = 0; i < received.length; i++) {
                received[i] = in.readLong();
            }
            return received;
        }

        /** Sends the address of a queue pair and receives that of its peer; both use the same MTU. */
        ConnectionInfo exchange(ConnectionInfo own) throws IOException {
            long[] peer = exchange(own.qpn(), own.psn(), own.gid().high(), own.gid().low());
            return new ConnectionInfo((int) peer[0], (int) peer[1], Gid.of(peer[2], peer[3]), own.mtu());
        }

        /** Waits until the peer calls this method too. */
        void barrier() throws IOException {
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
