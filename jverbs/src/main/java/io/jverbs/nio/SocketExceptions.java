package io.jverbs.nio;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.rsocket.RdmaStreamException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;

/** The exceptions that channels and sockets of the JDK throw, for what streams and verbs throw. Stateless. */
final class SocketExceptions {
    private SocketExceptions() {}

    /** Returns an exception with a cause. */
    static SocketException of(String message, Throwable cause) {
        return caused(new SocketException(message), cause);
    }

    private static <E extends IOException> E caused(E made, Throwable cause) {
        made.initCause(cause);
        return made;
    }

    /** Returns what a connect throws because a stream was not established. */
    static SocketException connect(RdmaStreamException cause) {
        return switch (cause.reason()) {
            case REJECTED -> caused(new ConnectException("Connection refused: " + cause.getMessage()), cause);
            case TIMED_OUT -> caused(new ConnectException("Connection timed out: " + cause.getMessage()), cause);
            case UNREACHABLE -> caused(new NoRouteToHostException("No route to host: " + cause.getMessage()), cause);
            default -> caused(new ConnectException(cause.getMessage()), cause);
        };
    }

    /** Returns what a connect throws because a verb has failed. */
    static SocketException connect(RuntimeException cause) {
        return caused(new ConnectException(cause.getMessage()), cause);
    }

    /** Returns what a bind throws because a verb has failed. */
    static SocketException bind(RuntimeException cause) {
        boolean isInUse = cause instanceof VerbsException verbs && isInUse(verbs);
        return caused(new BindException((isInUse ? "Address already in use: " : "Cannot assign requested address: ")
                + cause.getMessage()), cause);
    }

    /** Returns whether a port is in use; rdma_bind_addr(3) reports both. */
    static boolean isInUse(VerbsException failure) {
        return failure.error() == Errno.EADDRINUSE || failure.error() == Errno.EADDRNOTAVAIL;
    }

    /** Returns what a transfer throws because the stream has failed. */
    static IOException transfer(RdmaStreamException cause) {
        return switch (cause.reason()) {
            case PEER_CLOSED -> caused(new IOException("Broken pipe: " + cause.getMessage()), cause);
            case PEER_LOST, PEER_SILENT -> of("Connection reset: " + cause.getMessage(), cause);
            default -> of(cause.getMessage(), cause);
        };
    }

    /** Throws what the methods of a socket throw for an exception of its channel. */
    static void rethrow(Exception thrown) throws IOException {
        if (thrown instanceof IOException io) {
            throw io;
        }
        throw socket(thrown);
    }

    /** Returns what the methods of a socket throw that declare SocketException; throws other unchecked ones. */
    static SocketException socket(Exception thrown) {
        if (thrown instanceof SocketException socket) {
            return socket;
        }
        String message = switch (thrown) {
            case ClosedChannelException e -> "Socket is closed";
            case NotYetConnectedException e -> "Socket is not connected";
            case AlreadyBoundException e -> "Already bound";
            case AlreadyConnectedException e -> "Already connected";
            case NotYetBoundException e -> "Socket is not bound yet";
            case UnsupportedAddressTypeException e -> "Unsupported address type";
            case UnresolvedAddressException e -> "Unresolved address";
            case IOException e -> e.getMessage();
            case RuntimeException e -> throw e;
            default -> throw new IllegalStateException(thrown);
        };
        return of(message, thrown);
    }
}
