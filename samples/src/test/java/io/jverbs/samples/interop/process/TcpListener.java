package io.jverbs.samples.interop.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * Waits for a server's TCP socket to listen. It reads the socket tables of {@code /proc}, as the server would take a
 * connection for its client's.
 */
public final class TcpListener {
    private static final String LISTEN = "0A";

    private TcpListener() {}

    /**
     * Waits until a socket in a process's network namespace listens on a port, the server ends or the time is up.
     *
     * @param pid the process
     * @param port the TCP port
     * @param running whether the server still runs
     */
    public static void await(long pid, int port, BooleanSupplier running) throws InterruptedException {
        Polling.until(() -> isListening(pid, port, "tcp") || isListening(pid, port, "tcp6"), running);
    }

    private static boolean isListening(long pid, int port, String table) {
        String localPort = String.format(Locale.ROOT, ":%04X", port);
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "net", table)).stream()
                    .map(line -> line.strip().split(" +"))
                    .anyMatch(fields -> fields[1].endsWith(localPort) && fields[3].equals(LISTEN));
        } catch (IOException e) {
            // The process has exited.
            return false;
        }
    }
}
