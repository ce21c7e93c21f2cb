package io.jverbs.contract.end.remote;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An {@link EndServer} in a separate JVM with the class path of this one. The process ends when this JVM ends, for
 * whatever reason.
 */
public final class EndProcess implements AutoCloseable {
    private final Process process;
    private final InetSocketAddress address;

    private EndProcess(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    /** Starts a process, and waits until it listens. */
    public static EndProcess start() throws IOException {
        Process process = new ProcessBuilder(List.of(TestJvm.java(),
                "-cp", TestJvm.classPath(), EndServer.class.getName(), "0"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        if (line == null || !line.matches("[0-9]+")) {
            process.destroyForcibly();
            throw new IOException("the other JVM did not start: " + line);
        }
        return new EndProcess(process, new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(line)));
    }

    /** Returns the address on which it listens. */
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
