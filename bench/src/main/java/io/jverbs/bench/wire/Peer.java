package io.jverbs.bench.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The other process of a contest: it answers until the one that measures stops it or ends. It is started with the options of
 * this JVM that are about the libraries.
 */
final class Peer implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 30;
    private static final List<String> PASSED_ON = List.of("-Djverbs.", "--enable-native-access",
            "--sun-misc-unsafe-memory-access", "-X");

    private final Process process;
    private final Line line;
    private final Sides sides;

    /** The addresses of this process, which nobody else is likely to use, and of the other one. */
    private static Sides measuring() {
        long pid = ProcessHandle.current().pid();
        String host = ".%d.%d".formatted(pid >>> Byte.SIZE & 0xFF, 1 + pid % 254);
        return new Sides("127.90" + host, "127.91" + host, true);
    }

    private Peer(Process process, Line line, Sides sides) {
        this.process = process;
        this.line = line;
        this.sides = sides;
    }

    /** Starts it. */
    static Peer start(Kind kind, int bytes, List<String> properties) throws IOException {
        Sides sides = measuring();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> PASSED_ON.stream().anyMatch(option::startsWith)).forEach(command::add);
        command.addAll(properties);
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            listener.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Peer.class.getName(),
                    Integer.toString(listener.getLocalPort()), kind.name(), Integer.toString(bytes), sides.other(),
                    sides.own()));
            Process process = new ProcessBuilder(command).inheritIO().start();
            try {
                return new Peer(process, new Line(listener.accept()), sides);
            } catch (IOException e) {
                process.destroyForcibly();
                throw e;
            }
        }
    }

    Line line() {
        return line;
    }

    /** As this process sees them. */
    Sides sides() {
        return sides;
    }

    /** Stops it, and waits until it has ended. */
    @Override
    public void close() throws IOException {
        try (line) {
            line.meet();
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * Answers.
     *
     * @param args the port of the process that measures, the contest, its bytes, and the addresses of both
     * @throws IOException if the processes cannot talk to each other
     */
    public static void main(String... args) throws IOException {
        try (Line line = new Line(new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])));
                Contest contest = Kind.valueOf(args[1]).open(new Sides(args[3], args[4], false), line,
                        Integer.parseInt(args[2]))) {
            line.meet();
            Watch watch = new Watch(line);
            contest.serve(watch::isOver);
        }
    }

    /** Waits for the end of the other process, or of what it has to say. */
    private static final class Watch {
        private volatile boolean over;

        Watch(Line line) {
            Thread.ofPlatform().daemon().name("watch").start(() -> {
                try {
                    line.meet();
                } catch (EOFException e) {
                    // it has closed the line, as it does at the end
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } finally {
                    over = true;
                }
            });
        }

        boolean isOver() {
            return over;
        }
    }
}
