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
 * Opens ends for others: every connection is one {@link LocalEnd}. Commands of a connection run on threads of their
 * own, so a blocking one holds up nobody.
 */
public final class EndServer implements AutoCloseable {

    static final String OPEN = "open";
    static final String CLOSE = "close";

    private final ServerSocket listener;

    /** Listens on a port of the loopback address; 0 takes a free one. */
    public EndServer(int port) throws IOException {
        this(InetAddress.getLoopbackAddress(), port);
    }

    /** Listens on a port of an address of this machine. Whoever connects can do anything to its devices. */
    public EndServer(InetAddress address, int port) throws IOException {
        listener = new ServerSocket(port, 50, address);
        Thread.ofPlatform().daemon().name("end-server").start(this::acceptAll);
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    /**
     * Serves in a process of its own until standard input ends; prints the port as its first line.
     *
     * @param args the port, 0 unless told; the address, that of loopback unless told
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
                    Thread.ofPlatform().daemon().name("end-" + request.command()).start(() -> answer(request));
                }
            } catch (EOFException | SocketException e) {
                closeEnd();
            } catch (IOException | ClassNotFoundException e) {
                closeEnd();
                throw new IllegalStateException("an end session broke", e);
            }
        }

        /** The other side went away, perhaps in the middle of a test: nothing may stay behind. */
        private void closeEnd() {
            End left = end;
            if (left != null) {
                end = null;
                left.close();
            }
        }

        private void answer(Wire.Request request) {
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
