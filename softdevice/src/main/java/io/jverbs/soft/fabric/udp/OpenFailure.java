package io.jverbs.soft.fabric.udp;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.FabricType;
import io.jverbs.soft.wire.Roce;
import java.io.IOException;
import java.net.BindException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Explains why a device cannot be opened at an address. */
final class OpenFailure {
    private static final Path KERNEL_DEVICES = Path.of("/sys/class/infiniband");

    private OpenFailure() {}

    /**
     * Returns the exception for an address whose UDP port cannot be opened: with EADDRINUSE, EADDRNOTAVAIL or EACCES.
     *
     * @param name the text of the address
     * @param gid the address
     * @param zone the interface that must have the address, or null
     * @param cause what the system reported
     */
    static VerbsException of(String name, Gid gid, NetworkInterface zone, IOException cause) {
        if (cause instanceof BindException) {
            return UdpAddress.isUsable(gid, zone) ? inUse(name, cause, kernelHasDevice()) : notReady(name, cause);
        }
        return refused(name, cause);
    }

    static VerbsException refused(String name, IOException cause) {
        return failure(Errno.EACCES, "UDP port " + Roce.UDP_PORT + " of " + name + " cannot be opened ("
                + cause.getMessage() + "): allow this process to open it, which a sandbox, a security module or the"
                + " limit on open files may forbid, or use soft without an address", cause);
    }

    /**
     * Returns the exception for an address that another process or the kernel uses.
     *
     * @param kernelHasDevice whether it may be the kernel, which tells nobody which of its devices has the port
     */
    static VerbsException inUse(String name, IOException cause, boolean kernelHasDevice) {
        String kernel = kernelHasDevice
                ? ". If it is the kernel's rdma_rxe driver: use native:rxe0, or remove that device with"
                        + " \"rdma link delete\""
                : "";
        return failure(Errno.EADDRINUSE, "UDP port " + Roce.UDP_PORT + " of " + name + " is in use. Only one process"
                + " can have it, and with it queue pair 1 for the connection manager, for each address: if it is a"
                + " software device of another process, use another address, such as 127.0.0.2 or any other of"
                + " 127.0.0.0/8, or end that process" + kernel, cause);
    }

    /**
     * An IPv6 address is tentative, and cannot be bound, during duplicate address detection (RFC 4862). That takes a
     * second or two.
     */
    private static VerbsException notReady(String name, IOException cause) {
        return failure(Errno.EADDRNOTAVAIL, "address " + name + " cannot be bound; it may still be tentative: try"
                + " again once \"ip address\" shows it without \"tentative\"", cause);
    }

    private static boolean kernelHasDevice() {
        try (Stream<Path> names = Files.list(KERNEL_DEVICES)) {
            return names.anyMatch(name -> name.getFileName().toString().startsWith("rxe"));
        } catch (IOException e) {
            return false;
        }
    }

    private static VerbsException failure(Errno error, String what, Exception cause) {
        VerbsException failure = new VerbsException("open_device", error, what + FabricType.SEE);
        failure.initCause(cause);
        return failure;
    }
}
