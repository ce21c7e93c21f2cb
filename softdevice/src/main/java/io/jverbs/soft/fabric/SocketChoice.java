package io.jverbs.soft.fabric;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.linux.Availability;
import io.jverbs.soft.linux.Libc;
import io.jverbs.soft.linux.UdpSocket;
import java.io.IOException;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Optional;

/**
 * Which sockets a device on the wire has, as the system property {@value #PROPERTY} says: {@code nio}, those of Java; {@code linux},
 * those of Linux' C library; {@code auto}, the latter where they can be had without a word from the JVM.
 */
final class SocketChoice {
    static final String PROPERTY = "jverbs.soft.udp";
    private static final String AUTO = "auto";
    private static final String NIO = "nio";
    private static final String LINUX = "linux";
    private static final List<String> ALLOWED = List.of(AUTO, NIO, LINUX);

    private SocketChoice() {}

    /**
     * Chooses.
     *
     * @throws IllegalArgumentException if the property says something else
     * @throws VerbsException if it says {@code linux} and that cannot be
     */
    static Sockets sockets() {
        String wanted = System.getProperty(PROPERTY, AUTO);
        if (!ALLOWED.contains(wanted)) {
            throw new IllegalArgumentException(
                    PROPERTY + "=" + wanted + ": allowed are " + String.join(", ", ALLOWED));
        }
        Optional<String> obstacle = wanted.equals(NIO) ? Optional.of("") : obstacle();
        if (obstacle.isPresent() && wanted.equals(LINUX)) {
            throw new VerbsException("open_device", Errno.EOPNOTSUPP, PROPERTY + "=" + LINUX + ": " + obstacle.get());
        }
        return obstacle.isPresent() ? new NioSockets() : new LinuxSockets();
    }

    /** What stands against sockets of Linux, or empty. */
    private static Optional<String> obstacle() {
        return Availability.obstacle().or(SocketChoice::missingOption);
    }

    private static Optional<String> missingOption() {
        try {
            UdpSocket socket = UdpSocket.open(false);
            try {
                socket.sendUnsegmented();
                socket.receiveSegmented();
                Inbox inbox = new Inbox();
                int none = socket.receive(inbox.room(2), 2);
                // what the messages refer to is the inbox's
                Reference.reachabilityFence(inbox);
                if (none != -Libc.EAGAIN) {
                    throw UdpSocket.failure("recvmmsg", -none);
                }
            } finally {
                socket.close();
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("the system has no such sockets (" + e.getMessage() + ")");
        }
    }
}
