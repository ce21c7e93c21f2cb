package io.jverbs.bench.process;

import java.io.Closeable;
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
 * The other process of a workload, which serves it until the measuring process stops it or exits. It is started with
 * the JVM options of this process that affect the libraries.
 */
final class Peer implements Closeable {
    /** The requests of the measuring process. The other process replies to each with a value. */
    private static final long STOP = 0;
    private static final long PROCESSOR_TIME = 1;
    private static final int TIMEOUT_SECONDS = 30;
    private static final List<String> PASSED_ON = List.of("-Djverbs.", "--enable-native-access",
            "--sun-misc-unsafe-memory-access", "-X");

    private final Process process;
    private final ControlConnection control;
    private final Sides sides;

    /** {@return loopback addresses of both processes, derived from the process ID to avoid conflicts} */
    private static Sides measuring() {
        long pid = ProcessHandle.current().pid();
        String host = ".%d.%d".formatted(pid >>> Byte.SIZE & 0xFF, 1 + pid % 254);
        return new Sides("127.90" + host, "127.91" + host, true);
    }

    private Peer(Process process, ControlConnection control, Sides sides) {
        this.process = process;
        this.control = control;
        this.sides = sides;
    }

    /** Starts the process, by a command that has its own command as the last arguments if the launcher is not empty. */
    static Peer start(List<String> launcher, WorkloadType type, int size, List<String> properties) throws IOException {
        Sides sides = measuring();
        List<String> command = new ArrayList<>(launcher);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> PASSED_ON.stream().anyMatch(option::startsWith)).forEach(command::add);
        command.addAll(properties);
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            listener.setSoTimeout((int) TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Peer.class.getName(),
                    Integer.toString(listener.getLocalPort()), type.getDeclaringClass().getName(), type.name(),
                    Integer.toString(size), sides.other(), sides.own()));
            Process process = new ProcessBuilder(command).inheritIO().start();
            try {
                return new Peer(process, new ControlConnection(listener.accept()), sides);
            } catch (IOException e) {
                kill(process);
                throw e;
            }
        }
    }

    ControlConnection control() {
        return control;
    }

    /** {@return the addresses, from the side of this process} */
    Sides sides() {
        return sides;
    }

    /** {@return the processor time of the process in nanoseconds} */
    long processorTime() throws IOException {
        return request(PROCESSOR_TIME);
    }

    private long request(long number) throws IOException {
        control.send(number);
        return control.receive();
    }

    /** Stops the process, and waits until it has exited. */
    @Override
    public void close() throws IOException {
        try (control) {
            request(STOP);
            process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            kill(process);
        }
    }

    /** Ends a process, and waits until it has ended: a cgroup can be deleted only then. */
    private static void kill(Process process) {
        try {
            process.destroyForcibly().waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The main method of the process: serves a workload.
     *
     * @param args the port of the control connection, the enum and the constant of the {@link WorkloadType}, its size,
     *         and the addresses of both processes
     * @throws IOException if the connection between the processes fails
     */
    public static void main(String... args) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        try (ControlConnection control = new ControlConnection(socket);
                Workload workload = WorkloadType.of(args[1], args[2]).open(new Sides(args[4], args[5], false),
                        control, Integer.parseInt(args[3]))) {
            control.synchronize();
            RequestThread requests = new RequestThread(control);
            workload.serve(requests::isStopped);
        }
    }

    /** A thread that serves requests until the measuring process stops this one or exits. */
    private static final class RequestThread {
        private volatile boolean stopped;

        RequestThread(ControlConnection control) {
            Thread.ofPlatform().daemon().name("requests").start(() -> {
                try {
                    while (control.receive() == PROCESSOR_TIME) {
                        control.send(ProcessorTime.ofThisProcess());
                    }
                    control.send(STOP);
                } catch (EOFException e) {
                    // the measuring process has closed the connection
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } finally {
                    stopped = true;
                }
            });
        }

        boolean isStopped() {
            return stopped;
        }
    }
}
