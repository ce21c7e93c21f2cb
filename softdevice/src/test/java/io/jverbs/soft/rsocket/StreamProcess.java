package io.jverbs.soft.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.soft.LoopbackAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that accepts streams until it is killed. It sends back the first byte of each, and then neither reads nor
 * writes.
 */
public final class StreamProcess implements AutoCloseable {
    private static final int SECONDS = 30;
    private static final String LISTENING = "listening at port ";

    private final Process process;
    private final InetSocketAddress address;

    private StreamProcess(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    /** Starts a process with a device of its own, and waits until it listens. */
    public static StreamProcess start() throws IOException {
        String host = LoopbackAddress.next();
        Process process = new ProcessBuilder(TestJvm.java(), "-cp", TestJvm.classPath(), StreamProcess.class.getName(),
                host).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        boolean isStarted = false;
        // stays open: the process may write to its log
        BufferedReader output = process.inputReader();
        try {
            String line = output.readLine();
            while (!line.startsWith(LISTENING)) {
                // the log
                line = output.readLine();
            }
            int port = Integer.parseInt(line.substring(LISTENING.length()));
            isStarted = true;
            return new StreamProcess(process, new InetSocketAddress(host, port));
        } finally {
            if (!isStarted) {
                process.destroyForcibly();
            }
        }
    }

    /**
     * Accepts streams.
     *
     * @param args the address of the device
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        // ends with the process that has started this one
        Thread.ofPlatform().daemon().start(() -> {
            try {
                System.in.read();
            } catch (IOException e) {
                // the end of the input, too
            }
            Runtime.getRuntime().halt(0);
        });
        List<RdmaStream> accepted = new ArrayList<>();
        try (RdmaContext context = Verbs.open("soft:" + args[0]);
                RdmaStreamListener listener = RdmaStreamListener.bind(context, new InetSocketAddress(args[0], 0))) {
            System.out.println(LISTENING + listener.localAddress().getPort());
            while (true) {
                RdmaStream stream = listener.accept();
                accepted.add(stream);
                ByteBuffer first = ByteBuffer.allocate(1);
                stream.read(first);
                stream.write(first.flip());
            }
        }
    }

    /** {@return the address at which the process listens} */
    public InetSocketAddress address() {
        return address;
    }

    /** Kills the process with SIGKILL. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the process still runs after SIGKILL");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
