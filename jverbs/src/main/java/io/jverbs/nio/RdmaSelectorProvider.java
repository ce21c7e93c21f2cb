package io.jverbs.nio;

import io.jverbs.RdmaContext;
import io.jverbs.nio.selector.RdmaSelector;
import io.jverbs.nio.selector.SelectorSpin;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.spi.SystemProperties;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;

/**
 * Channels and selectors of Java over RDMA. A program that runs with
 *
 * <pre>-Djava.nio.channels.spi.SelectorProvider=io.jverbs.nio.RdmaSelectorProvider</pre>
 *
 * uses it for each {@link SocketChannel}, {@link ServerSocketChannel} and {@link java.nio.channels.Selector} without a
 * change. The channels carry bytes by the protocol of {@link io.jverbs.rsocket}. Which addresses they reach by RDMA is
 * what the system property {@code jverbs.nio.rdma} says; for the others, and for datagrams, pipes, Unix domain sockets
 * and the inherited channel, they use the provider of the JDK. This class is thread-safe.
 *
 * <p>
 * The values of {@code jverbs.nio.rdma}:
 * <ul>
 * <li>{@code auto}, the default: the networks of the device that {@code jverbs.device} selects, and the loopback
 * addresses. If the peer has no RDMA, or nobody listens there by RDMA, the channel connects by TCP. A channel that
 * listens at such an address, or at the wildcard address, does so by RDMA and TCP
 * <li>{@code always}: every address, and only by RDMA
 * <li>a list such as {@code 192.0.2.0/24,::1}: these addresses only by RDMA, the others by TCP. A channel that listens
 * at the wildcard address does so by RDMA and TCP
 * </ul>
 *
 * <p>
 * It is not installed as a service, because the JDK would use it in each program that has it on its path.
 */
public final class RdmaSelectorProvider extends SelectorProvider {
    private final RdmaTransport transport;
    private final long spinNanos;
    /** The provider of the JDK, null until it is needed. */
    private volatile SelectorProvider jdk;

    /**
     * Creates a provider as the system properties say. The device that {@code jverbs.device} selects is opened when a
     * channel needs it first.
     *
     * @throws IllegalArgumentException if {@code jverbs.nio.rdma} or {@code jverbs.nio.spin} is not valid
     */
    public RdmaSelectorProvider() {
        this(new RdmaTransport(TransportRule.ofProperty(), RdmaTransport.DEFAULT_OPTIONS, null));
    }

    /**
     * Creates a provider for a context.
     *
     * @param context the context whose device the channels use
     * @param rule which addresses are reached by RDMA: a value of {@code jverbs.nio.rdma}
     * @param options the options of the streams; socket options change the sizes of their buffers
     * @throws IllegalArgumentException if the rule or {@code jverbs.nio.spin} is not valid
     */
    public RdmaSelectorProvider(RdmaContext context, String rule, RdmaStreamOptions options) {
        this(transport(context, rule, options));
    }

    private static RdmaTransport transport(RdmaContext context, String rule, RdmaStreamOptions options) {
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(rule, "rule");
        Objects.requireNonNull(options, "options");
        return new RdmaTransport(TransportRule.parse(rule), options, context);
    }

    private RdmaSelectorProvider(RdmaTransport transport) {
        this.transport = transport;
        this.spinNanos = SelectorSpin.nanosOfProperty();
    }

    RdmaTransport transport() {
        return transport;
    }

    /** Returns the provider of the JDK. */
    SelectorProvider jdk() {
        SelectorProvider present = jdk;
        if (present == null) {
            present = JdkProvider.find();
            jdk = present;
        }
        return present;
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return jdk().openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return jdk().openDatagramChannel(Objects.requireNonNull(family, "family"));
    }

    @Override
    public Pipe openPipe() throws IOException {
        return jdk().openPipe();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return new RdmaSelector(this, this::jdk, spinNanos);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return new RdmaServerSocketChannel(this, jdk().openServerSocketChannel(), false);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return new RdmaServerSocketChannel(this,
                jdk().openServerSocketChannel(Objects.requireNonNull(family, "family")),
                family == StandardProtocolFamily.UNIX);
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return RdmaSocketChannel.open(this, jdk().openSocketChannel());
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        SocketChannel opened = jdk().openSocketChannel(Objects.requireNonNull(family, "family"));
        return family == StandardProtocolFamily.UNIX
                ? RdmaSocketChannel.ofTcp(this, opened)
                : RdmaSocketChannel.open(this, opened);
    }

    @Override
    public Channel inheritedChannel() throws IOException {
        return jdk().inheritedChannel();
    }

    @Override
    public String toString() {
        return "RdmaSelectorProvider[" + SystemProperties.NIO_RDMA + "=" + transport + "]";
    }
}
