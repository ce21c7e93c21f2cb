package io.jverbs.nio;

import io.jverbs.VerbsException;
import io.jverbs.nio.RdmaTransport.Choice;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamBinding;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;

/**
 * The local address that a program binds a channel to before it connects. The port is reserved at the device if the
 * address is one of RDMA only; otherwise the channel of the JDK is bound. Thread-safe.
 */
final class LocalBinding {
    private final RdmaTransport transport;
    private final SocketChannel tcp;
    /** The address at the device; null if the channel of the JDK is bound, or nothing is. */
    private volatile InetSocketAddress address;
    /** The port at the device until a stream gets it; guarded by this object. */
    private RdmaStreamBinding reserved;
    private boolean closed;

    LocalBinding(RdmaTransport transport, SocketChannel tcp) {
        this.transport = transport;
        this.tcp = tcp;
    }

    /** Binds; see {@link SocketChannel#bind}. */
    synchronized void bind(SocketAddress local) throws IOException {
        if (address != null || tcp.getLocalAddress() != null) {
            throw new AlreadyBoundException();
        }
        InetSocketAddress wanted = specific(local);
        Choice choice = wanted == null ? Choice.TCP : transport.toListen(wanted.getAddress());
        if (choice == Choice.RDMA) {
            reserve(wanted);
            return;
        }
        try {
            tcp.bind(local);
        } catch (BindException e) {
            if (choice == Choice.TCP || isOfHost(wanted.getAddress())) {
                throw e;
            }
            reserve(wanted);
        }
    }

    /** Returns an address that names a host; null for others, which the channel of the JDK takes or refuses. */
    private static InetSocketAddress specific(SocketAddress local) {
        return local instanceof InetSocketAddress inet && !inet.isUnresolved() && !inet.getAddress().isAnyLocalAddress()
                ? inet
                : null;
    }

    private static boolean isOfHost(InetAddress host) throws SocketException {
        return host.isLoopbackAddress() || NetworkInterface.getByInetAddress(host) != null;
    }

    private void reserve(InetSocketAddress wanted) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        try {
            reserved = RdmaStreamBinding.bind(transport.context(), wanted);
        } catch (VerbsException | IllegalStateException e) {
            throw SocketExceptions.bind(e);
        }
        address = reserved.localAddress();
    }

    /** Begins to connect a stream from the address that the channel is bound to, or from any. */
    synchronized RdmaStream beginConnect(InetSocketAddress remote, RdmaStreamOptions options) throws IOException {
        RdmaStreamBinding own = reserved;
        if (own == null) {
            return RdmaStream.beginConnect(transport.context(), source(remote), remote, options);
        }
        boolean isBegun = false;
        try {
            RdmaStream stream = own.beginConnect(remote, options);
            reserved = null;
            isBegun = true;
            return stream;
        } finally {
            if (!isBegun) {
                // what an Error has left
                own.close();
                reserved = null;
            }
        }
    }

    /** Returns the source of a connection; the wildcard address becomes that of the family of the peer. */
    private InetSocketAddress source(InetSocketAddress remote) throws IOException {
        InetSocketAddress bound = local();
        if (bound == null || !bound.getAddress().isAnyLocalAddress()) {
            return bound;
        }
        int bytes = remote.getAddress() instanceof Inet4Address ? Integer.BYTES : 2 * Long.BYTES;
        try {
            return new InetSocketAddress(InetAddress.getByAddress(new byte[bytes]), bound.getPort());
        } catch (UnknownHostException e) {
            throw SocketExceptions.of(e.getMessage(), e);
        }
    }

    /** Before a connect by TCP: binds the channel of the JDK to the address that is reserved at the device. */
    void useTcp() throws IOException {
        if (address != null) {
            tcp.bind(address);
        }
    }

    /** Returns the local address, null if the channel is not bound. */
    InetSocketAddress local() throws IOException {
        InetSocketAddress own = address;
        return own != null ? own : (InetSocketAddress) tcp.getLocalAddress();
    }

    /** Returns the local address also of a channel that is closed. */
    InetSocketAddress localOfClosed() {
        InetSocketAddress own = address;
        return own != null ? own : (InetSocketAddress) tcp.socket().getLocalSocketAddress();
    }

    /** Frees the port, unless a stream has got it. */
    synchronized void close() {
        closed = true;
        if (reserved != null) {
            reserved.close();
            reserved = null;
        }
    }
}
