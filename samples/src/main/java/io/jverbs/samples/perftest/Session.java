package io.jverbs.samples.perftest;

import io.jverbs.Mtu;
import io.jverbs.PortAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.LocalAddress;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.Screen;
import io.jverbs.samples.console.UsageFailure;
import io.jverbs.samples.perftest.exchange.ParameterExchange;
import io.jverbs.samples.perftest.exchange.PeerAddress;
import io.jverbs.samples.perftest.run.Settings;
import io.jverbs.samples.perftest.run.Side;
import io.jverbs.samples.perftest.run.Table;
import io.jverbs.samples.perftest.run.Verb;
import java.io.IOException;

/** One side of a test, from the connection to the last line. */
final class Session {
    private static final int PAGE = 4096;
    private static final int CACHE_LINE = 64;

    private final Settings settings;
    private final boolean client;
    private final Screen screen;
    private final Preamble preamble;

    /**
     * Creates a side.
     *
     * @param settings the options
     * @param client whether this side is the client
     * @param screen the destination of the output
     */
    Session(Settings settings, boolean client, Screen screen) {
        this.settings = settings;
        this.client = client;
        this.screen = screen;
        this.preamble = new Preamble(settings, screen, client);
    }

    /**
     * Runs the test.
     *
     * @param connector opens the connection to the other side
     */
    void run(Connector connector) {
        try (RdmaContext context = Devices.find(settings.device()).open()) {
            PortAttributes port = context.queryPort(settings.port());
            Mtu mtu = mtu(port);
            checkSize(port, mtu);
            if (!client) {
                preamble.waiting();
            }
            try (Link link = connector.open(context)) {
                run(context, port, mtu, link);
            } catch (IOException e) {
                throw new SampleFailure("the TCP connection to the peer failed: " + e.getMessage() + ".");
            }
        }
    }

    private void run(RdmaContext context, PortAttributes port, Mtu mtu, Link link) {
        ParameterExchange exchange = new ParameterExchange(link.channel(), client, settings.patience());
        try {
            preamble.versions(exchange.versions());
            int page = exchange.pageSize(PAGE, CACHE_LINE);
            Mtu common = exchange.mtu(mtu);
            checkSize(common);
            boolean upToLimit = settings.all() || settings.size() == Settings.SIZE_OF_MTU;
            int largest = upToLimit
                    ? (int) Math.min(Settings.LARGEST_OF_ALL, largest(port, common))
                    : settings.size();
            Side side = side(context, exchange, link, common, largest, page);
            preamble.test(context, side);
            connect(exchange, side);
            String title = preamble.title() + ", " + settings.connection() + ", " + context.device().name();
            new Measurement(settings, client, exchange, side, screen, largest, title).run();
            screen.print(Table.RULE);
        } finally {
            screen.clear();
        }
    }

    /** Creates the verbs objects. With rdma_cm the queue pairs are connected then, between two exchanges of nothing. */
    private Side side(RdmaContext context, ParameterExchange exchange, Link link, Mtu common, int largest, int page) {
        if (link.cm() == null) {
            Side side = new Side(context, settings, common, largest, page, null);
            exchange.useGids(side.gidIndex() != LocalAddress.NO_GID_INDEX);
            return side;
        }
        exchange.useGids(true);
        exchange.addresses(PeerAddress.NONE);
        Side side = new Side(context, settings, common, largest, page, link.cm());
        exchange.addresses(PeerAddress.NONE);
        return side;
    }

    private Mtu mtu(PortAttributes port) {
        if (settings.mtu() == null) {
            return port.activeMtu();
        }
        if (settings.mtu().bytes() > port.activeMtu().bytes()) {
            throw new UsageFailure("--mtu " + settings.mtu().bytes() + " is more than the active MTU of the port, "
                    + port.activeMtu().bytes() + ".");
        }
        return settings.mtu();
    }

    private long largest(PortAttributes port, Mtu mtu) {
        return settings.connection() == QpType.UD ? mtu.bytes() : port.maxMessageSize();
    }

    private void checkSize(PortAttributes port, Mtu mtu) {
        long largest = largest(port, mtu);
        if (!settings.all() && settings.size() > largest) {
            throw new UsageFailure("--size " + settings.size() + " is outside 1.." + largest + ", "
                    + (settings.connection() == QpType.UD
                            ? "the MTU, as a datagram is one packet."
                            : "the maximum message size of the port."));
        }
    }

    private void checkSize(Mtu common) {
        if (settings.connection() == QpType.UD && settings.size() > common.bytes() && !settings.all()) {
            throw new UsageFailure("--size " + settings.size() + " is outside 1.." + common.bytes()
                    + ", the MTU of the peer, as a datagram is one packet.");
        }
    }

    /** Exchanges the addresses and connects the queue pairs. The latency programs but send_lat exchange them twice. */
    private void connect(ParameterExchange exchange, Side side) {
        preamble.address("local", side.own());
        if (settings.latency() && settings.verb() != Verb.SEND) {
            exchange.addresses(side.own());
        }
        PeerAddress peer = exchange.addresses(side.own());
        preamble.address("remote", peer);
        checkGid(side.own(), peer);
        side.connect(peer);
        // the second exchange after the queue pairs are connected is for the C programs to print the addresses
        exchange.addresses(side.own());
        exchange.addresses(side.own());
        screen.print(Table.RULE);
    }

    /** Throws if the GID of one side is an IPv4 address and that of the other is not: they do not reach each other. */
    private static void checkGid(PeerAddress own, PeerAddress peer) {
        if (!own.gid().isZero() && !peer.gid().isZero() && own.gid().isIpv4Mapped() != peer.gid().isIpv4Mapped()) {
            throw new SampleFailure("the GID of this side is " + own.gid() + ", and that of the peer is " + peer.gid()
                    + ": both must be IPv4 addresses, or none. Choose others with --gid-index.");
        }
    }

    /** Opens the connection between both sides. */
    @FunctionalInterface
    interface Connector {
        /** {@return the connection} */
        Link open(RdmaContext context) throws IOException;
    }
}
