package io.jverbs.soft.endpoint;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.Listener;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A process that replies to requests until it is killed. */
public final class EchoProcess implements AutoCloseable {
    private static final int SECONDS = 30;
    private static final String LISTENING = "listening at port ";

    private final Process process;
    private final InetSocketAddress address;

    private EchoProcess(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    /** Starts a process with a device at an address, and waits until it listens. */
    static EchoProcess start(String host) throws IOException {
        Process process = new ProcessBuilder(TestJvm.java(), "-cp", TestJvm.classPath(), EchoProcess.class.getName(),
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
            InetSocketAddress address = new InetSocketAddress(host,
                    Integer.parseInt(line.substring(LISTENING.length())));
            isStarted = true;
            return new EchoProcess(process, address);
        } finally {
            if (!isStarted) {
                process.destroyForcibly();
            }
        }
    }

    /**
     * Replies to all requests.
     *
     * @param args the address of the device
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws InterruptedException {
        // ends with the process that has started this one
        Thread.ofPlatform().daemon().start(() -> {
            try {
                System.in.read();
            } catch (IOException e) {
                // the end of the input, too
            }
            Runtime.getRuntime().halt(0);
        });
        try (RdmaContext context = Verbs.open("soft:" + args[0]);
                Listener listener = Listener.bind(context, new InetSocketAddress(args[0], 0))) {
            System.out.println(LISTENING + listener.localAddress().getPort());
            while (true) {
                Endpoint client = listener.accept();
                client.onMessage((endpoint, message) -> message.reply(message.text()));
            }
        }
    }

    InetSocketAddress address() {
        return address;
    }

    /** Kills the process with SIGKILL. */
    void kill() throws InterruptedException {
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
