package io.jverbs.contract.end.remote;

import io.jverbs.contract.end.End;
import io.jverbs.contract.end.EndFailure;
import io.jverbs.contract.end.VerbsFailure;
import io.jverbs.contract.end.local.LocalEnd;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.util.Arrays;

/**
 * Opens ends for remote clients: every connection has one {@link LocalEnd}. Each command of a connection runs on its
 * own thread, so that a blocking command does not delay others.
 */
public final class EndServer implements AutoCloseable {

    static final String OPEN = "open";
    static final String CLOSE = "close";

    private final ServerSocket listener;

    /** Listens on a port of the loopback address. Port 0 selects a free port. */
    public EndServer(int port) throws IOException {
        this(InetAddress.getLoopbackAddress(), port);
    }

    /**
     * Listens on a port of a local address. There is no authentication: every client has full control of the devices.
     */
    public EndServer(InetAddress address, int port) throws IOException {
        listener = new ServerSocket(port, 50, address);
        Thread.ofPlatform().daemon().name("end-server").start(this::acceptAll);
    }

    /** Returns the address on which it listens. */
    public InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    /**
     * Runs the server in this process until standard input ends. Prints the port as its first line.
     *
     * @param args the port, default 0; the address, default loopback
     */
    public static void main(String[] args) throws IOException {
        InetAddress address = args.length > 1 ? InetAddress.getByName(args[1]) : InetAddress.getLoopbackAddress();
        try (EndServer server = new EndServer(address, args.length > 0 ? Integer.parseInt(args[0]) : 0)) {
            System.out.println(server.address().getPort());
            int read;
            do {
                read = System.in.read();
            } while (read >= 0);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket socket = listener.accept();
                Thread.ofPlatform().daemon().name("end-session").start(() -> new Session(socket).serve());
            }
        } catch (IOException e) {
            if (!listener.isClosed()) {
                throw new IllegalStateException("the end server cannot accept", e);
            }
        }
    }

    private static final class Session {

        private final Socket socket;
        private Wire.Output out;
        private volatile End end;

        Session(Socket socket) {
            this.socket = socket;
        }

        void serve() {
            try (socket) {
                socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
                out = new Wire.Output(new BufferedOutputStream(socket.getOutputStream()));
                out.flush();
                Wire.Input in = new Wire.Input(new BufferedInputStream(socket.getInputStream()));
                while (true) {
                    Wire.Request request = (Wire.Request) in.readObject();
                    Thread.ofPlatform().daemon().name("end-" + request.command()).start(() -> executeAndReply(request));
                }
            } catch (EOFException | SocketException e) {
                closeEnd();
            } catch (IOException | ClassNotFoundException e) {
                closeEnd();
                throw new IllegalStateException("a session with an end failed", e);
            }
        }

        /** The client disconnected, possibly in the middle of a test: closes all objects. */
        private void closeEnd() {
            End left = end;
            if (left != null) {
                end = null;
                left.close();
            }
        }

        private void executeAndReply(Wire.Request request) {
            Wire.Reply reply;
            try {
                reply = new Wire.Reply(request.id(), execute(request), null);
            } catch (VerbsFailure | EndFailure e) {
                reply = new Wire.Reply(request.id(), null, e);
            } catch (Exception e) {
                reply = new Wire.Reply(request.id(), null, new EndFailure(e.getClass().getName(), e.getMessage()));
            }
            try {
                out.send(reply);
            } catch (IOException e) {
                try {
                    out.send(new Wire.Reply(request.id(), null,
                            new EndFailure(e.getClass().getName(), e.getMessage())));
                } catch (IOException gone) {
                    closeEnd();
                }
            }
        }

        private Object execute(Wire.Request request) throws Exception {
            switch (request.command()) {
                case OPEN -> {
                    end = LocalEnd.open((String) request.arguments()[0]);
                    return null;
                }
                case CLOSE -> {
                    closeEnd();
                    return null;
                }
                default -> {
                    Method method = Arrays.stream(End.class.getMethods())
                            .filter(each -> each.getName().equals(request.command())
                                    && each.getParameterCount() == request.arguments().length)
                            .findFirst().orElseThrow();
                    try {
                        return method.invoke(end, request.arguments());
                    } catch (InvocationTargetException e) {
                        throw e.getCause() instanceof Exception known ? known : new IllegalStateException(e.getCause());
                    }
                }
            }
        }
    }
}
