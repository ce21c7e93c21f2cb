package io.jverbs.soft.fabric.udp.socket;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.linux.Availability;
import io.jverbs.soft.linux.Libc;
import io.jverbs.soft.linux.UdpSocket;
import io.jverbs.spi.SystemProperties;
import java.io.IOException;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the sockets of a device on the wire, as the system property {@value #PROPERTY} says: {@code nio}, those of
 * Java; {@code linux}, those of Linux's C library; {@code auto}, the latter where they are available without a warning
 * from the JVM, otherwise the former.
 */
public final class SocketsFactory {
    /** The name of the system property. */
    public static final String PROPERTY = SystemProperties.SOFT_UDP;
    private static final String AUTO = "auto";
    private static final String NIO = "nio";
    private static final String LINUX = "linux";
    private static final List<String> ALLOWED = List.of(AUTO, NIO, LINUX);

    private SocketsFactory() {}

    /**
     * Returns the sockets to use.
     *
     * @param ecnCapable whether packets are sent as ECN-capable, and the marks of those that arrive are read where the
     *     sockets can
     * @throws IllegalArgumentException if the property has another value
     * @throws VerbsException if the property is {@code linux} and these sockets are not available
     */
    public static Sockets sockets(boolean ecnCapable) {
        String wanted = System.getProperty(PROPERTY, AUTO);
        if (!ALLOWED.contains(wanted)) {
            throw new IllegalArgumentException(
                    SystemProperties.refusal(PROPERTY, wanted, String.join(", ", ALLOWED)));
        }
        Optional<String> obstacle = wanted.equals(NIO) ? Optional.of("") : obstacle();
        if (obstacle.isPresent() && wanted.equals(LINUX)) {
            throw new VerbsException("open_device", Errno.EOPNOTSUPP, "system property " + PROPERTY + "=" + LINUX
                    + ": " + obstacle.get() + "; allowed are also " + AUTO + ", " + NIO
                    + SystemProperties.see(PROPERTY));
        }
        return obstacle.isPresent() ? new NioSockets(ecnCapable) : new LinuxSockets(ecnCapable);
    }

    /** Returns why sockets of Linux are not available, or empty. */
    private static Optional<String> obstacle() {
        return Availability.obstacle().or(SocketsFactory::missingOption);
    }

    private static Optional<String> missingOption() {
        try {
            UdpSocket socket = UdpSocket.open(false);
            try {
                socket.probeSegmentation();
                socket.enableGro();
                ReceiveBatch inbox = new ReceiveBatch();
                int result = socket.receive(inbox.prepare(2), 2);
                // the inbox owns the memory that the messages refer to
                Reference.reachabilityFence(inbox);
                if (result != -Libc.EAGAIN) {
                    throw UdpSocket.failure("recvmmsg", -result);
                }
            } finally {
                try {
                    socket.close();
                } catch (Error e) {
                    // again, because nothing else closes it
                    socket.close();
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("no UDP socket with UDP_SEGMENT, UDP_GRO and recvmmsg (" + e.getMessage() + ")");
        }
    }
}
