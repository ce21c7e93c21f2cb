package io.jverbs.bench.connection;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.CallBenchmark;
import io.jverbs.bench.suite.ControlPath;
import io.jverbs.bench.suite.Quick;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Connects two endpoints of one process and closes both, by one thread, compared with TCP over loopback: connect,
 * accept, and close of both sockets. A connection runs through much code, so the warm-up is long. The heap is resident
 * from the start: while it grows, the first access to each page can take longer than a connection in a virtual
 * machine.
 */
@State(Scope.Thread)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10, time = 1)
@Fork(value = 3, jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"})
@Quick(warmUp = 6000)
public class Connect extends CallBenchmark {
    private static final int BACKLOG = 128;

    /** The path between the endpoints: within the JVM, or over UDP between two devices at loopback addresses. */
    @Param({"JVM", "UDP"})
    public String path;

    private RdmaContext client;
    private RdmaContext server;
    private Listener listener;
    private ServerSocketChannel tcpListener;

    /** For JMH. */
    public Connect() {
        // initialized by open
    }

    /** Listens. */
    @Setup
    public void open() throws IOException {
        boolean isWire = path.equals("UDP");
        client = Verbs.open(isWire ? "soft:127.0.62.1?fabric=wire" : "soft");
        server = isWire ? Verbs.open("soft:127.0.62.2?fabric=wire") : client;
        listener = Listener.bind(server,
                new InetSocketAddress(server.preferredGid(1).gid().toInetAddress(), 0));
        tcpListener = ServerSocketChannel.open();
        tcpListener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    }

    /** Closes the listeners and the devices. */
    @TearDown
    public void close() throws IOException {
        tcpListener.close();
        listener.close();
        server.close();
        client.close();
    }

    /** Connects, accepts and closes. */
    @Benchmark
    @ControlPath
    @Against("tcp")
    public void endpoints() throws InterruptedException {
        Endpoint active = Endpoint.connect(client, listener.localAddress());
        Endpoint passive = listener.accept();
        active.close();
        passive.close();
    }

    /** Connects, accepts and closes. The close sends RST, because TIME_WAIT would use up the ports. */
    @Benchmark
    @Baseline
    public void tcp() throws IOException {
        SocketChannel active = SocketChannel.open(tcpListener.getLocalAddress());
        SocketChannel passive = tcpListener.accept();
        active.setOption(StandardSocketOptions.SO_LINGER, 0);
        active.close();
        passive.close();
    }
}
