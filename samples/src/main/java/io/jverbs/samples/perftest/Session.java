package io.jverbs.samples.perftest;

import io.jverbs.Mtu;
import io.jverbs.PortAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.Screen;
import io.jverbs.samples.console.UsageFailure;
import io.jverbs.samples.perftest.run.Control;
import io.jverbs.samples.perftest.run.PeerAddress;
import io.jverbs.samples.perftest.run.Settings;
import io.jverbs.samples.perftest.run.Side;
import io.jverbs.samples.perftest.run.Table;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * One side of a test, from the greeting to the last line. The client requests rounds of messages and measurements of
 * the baseline, and both sides perform them.
 */
final class Session {
    private static final String PARAMETERS = "parameters";
    private static final String ADDRESS = "address";
    private static final String MTU = "mtu";

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
     * @param connection opens the TCP connection to the other side
     */
    void run(Connector connection) {
        try (RdmaContext context = Devices.find(settings.device()).open()) {
            PortAttributes port = context.queryPort(settings.port());
            Mtu mtu = mtu(port);
            checkSize(port, mtu);
            if (!client) {
                preamble.waiting();
            }
            try (Control control = new Control(connection.connect())) {
                run(context, port, mtu, control);
            } catch (IOException e) {
                throw new SampleFailure("the TCP connection to the peer failed: " + e.getMessage() + ".");
            }
        }
    }

    private void run(RdmaContext context, PortAttributes port, Mtu mtu, Control control) {
        try {
            control.greet(settings.patience());
            Mtu common = agree(control, mtu);
            boolean upToLimit = settings.all() || settings.size() == Settings.SIZE_OF_MTU;
            int largest = upToLimit
                    ? (int) Math.min(Settings.LARGEST_OF_ALL, largest(port, common))
                    : settings.size();
            Side side = new Side(context, settings, common, largest);
            preamble.test(context, side);
            connect(control, side);
            if (client) {
                new Client(settings, control, side, screen, largest, preamble.title(), context.device().name()).run();
            } else {
                new Server(settings, control, side, screen, largest).run();
            }
            screen.print(Table.RULE);
        } catch (Control.PeerFailure e) {
            throw e;
        } catch (RuntimeException e) {
            control.fail(String.valueOf(e.getMessage()));
            throw e;
        } finally {
            screen.clear();
        }
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

    /**
     * Compares the parameters of both sides, which must be equal.
     *
     * @return the smaller MTU of both sides
     */
    private Mtu agree(Control control, Mtu mtu) {
        Map<String, String> own = settings.symmetric();
        own.put(MTU, Integer.toString(mtu.bytes()));
        StringJoiner words = new StringJoiner(" ", PARAMETERS + " ", "");
        own.forEach((name, value) -> words.add(name + "=" + value));
        control.send(words.toString());
        Map<String, String> peer = new HashMap<>();
        for (String word : control.receive(PARAMETERS, settings.patience())) {
            int end = word.indexOf('=');
            peer.put(word.substring(0, Math.max(0, end)), word.substring(end + 1));
        }
        own.forEach((name, value) -> {
            String other = peer.getOrDefault(name, "not given");
            if (!name.equals(MTU) && !other.equals(value)) {
                throw new Control.PeerFailure("the two sides differ: " + name + " is " + value + " here and " + other
                        + " at the peer. Start both with the same options.");
            }
        });
        int common = Math.min(mtu.bytes(), Integer.parseInt(peer.getOrDefault(MTU, own.get(MTU))));
        if (settings.connection() == QpType.UD && settings.size() > common && !settings.all()) {
            throw new UsageFailure("--size " + settings.size() + " is outside 1.." + common
                    + ", the MTU of the peer, as a datagram is one packet.");
        }
        return Mtu.ofBytes(common);
    }

    private void connect(Control control, Side side) {
        preamble.address("local", side.own());
        control.send(ADDRESS + " " + side.own().toWords());
        PeerAddress peer = PeerAddress.ofWords(control.receive(ADDRESS, settings.patience()));
        preamble.address("remote", peer);
        side.connect(peer);
        control.send("connected");
        control.receive("connected", settings.patience());
        screen.print(Table.RULE);
    }

    /** Opens the TCP connection between both sides. */
    @FunctionalInterface
    interface Connector {
        /** {@return the connection} */
        SocketChannel connect() throws IOException;
    }
}
